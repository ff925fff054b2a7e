import { argumentNames } from './parse-command-line.ts';
import { writeLine } from '../terminal.ts';
import type { Command, Option } from './command.ts';
import { UsageError } from './usage-error.ts';

const SHOP: [string, string] = [
  '--shop SHOP',
  "the shop's domain, such as demo.myshopify.com, or the domain's first word",
];

/** `platen help`: shows all commands, the commands with a given first word, or one command. Throws UsageError. */
export async function help(commands: readonly Command[], words: readonly string[]): Promise<void> {
  const name = words.join(' ');
  const command = commands.find((one) => one.name === name);
  const others = name === '' ? describeAll(commands) : describeGroup(commands, name);
  const lines = command ? await describeCommand(command) : others;
  if (lines.length === 0) throw new UsageError(`The command ${name} does not exist.`);
  lines.forEach(writeLine);
}

/** Returns all commands with their one-line descriptions. */
function describeAll(commands: readonly Command[]): string[] {
  return [
    'Usage: platen COMMAND [OPTIONS]',
    '',
    ...toColumns(commands.map(({ name, about }): [string, string] => [name, about])),
    '',
    '"platen COMMAND --help" shows arguments, options and examples; "platen --version" shows the version.',
  ];
}

/** Returns the commands whose name starts with a word, or an empty list. */
function describeGroup(commands: readonly Command[], word: string): string[] {
  const group = commands.filter(({ name }) => name.startsWith(`${word} `));
  return toColumns(group.map(({ name, about }): [string, string] => [`platen ${name}`, about]));
}

/** `platen COMMAND --help`: returns the help for one command. */
async function describeCommand(command: Command): Promise<string[]> {
  const { about, args, examples, more, name, needs } = command;
  const named = args.split(' ').map((word) => word.replaceAll(/[[\]…]/g, ''));
  const described = [...new Set(named)].flatMap((word): [string, string][] =>
    word in argumentNames ? [[word, argumentNames[word] ?? '']] : [],
  );
  const options = Object.entries(command.options).map(([option, one]): [string, string] => [
    `--${option}${placeholder(one)}`,
    one.about + (one.kind === 'list' || one.kind === 'pairs' ? ' (may be repeated)' : ''),
  ]);
  const all = [...described, ...(needs === 'shop' ? [SHOP] : []), ...options];
  return [
    `Usage: ${usageOf(command)}`,
    '',
    `${about}.`,
    ...(all.length === 0 ? [] : ['', ...toColumns(all)]),
    ...(examples.length === 0 ? [] : ['', 'Examples:']),
    ...examples.map((example) => `  ${['platen', name, example].filter(Boolean).join(' ')}`),
    ...(more === undefined ? [] : ['', ...(await more())]),
  ];
}

/** Returns a command's usage line, with its name, arguments and options. */
export function usageOf({ args, name, needs, options }: Command): string {
  const words = Object.entries(options).map(([option, one]) => {
    if (one.kind === 'required') return `--${option}${placeholder(one)}`;
    const word = `[--${option}${placeholder(one)}]`;
    return one.kind === 'list' || one.kind === 'pairs' ? `${word}…` : word;
  });
  return ['platen', name, args, needs === 'shop' ? '--shop SHOP' : '', ...words].filter(Boolean).join(' ');
}

function placeholder({ value }: Option): string {
  return value === undefined ? '' : ` ${value}`;
}

function toColumns(rows: readonly [string, string][]): string[] {
  const width = Math.max(0, ...rows.map(([name]) => name.length));
  return rows.map(([name, about]) => `  ${name.padEnd(width)}  ${about}`);
}
