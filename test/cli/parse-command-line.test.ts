import { describe, expect, test } from 'vitest';
import { commands } from '../../src/cli/commands.ts';
import { argumentNames, parseCommandLine } from '../../src/cli/parse-command-line.ts';
import { UsageError } from '../../src/cli/usage-error.ts';

function parse(line: string, ...argv: string[]) {
  const command = commands.find(({ name }) => name === line);
  if (!command) throw new Error(`There is no command ${line}.`);
  return parseCommandLine(command, argv);
}

const CREATE = ['template', '--shop', 'demo', '--title', 'Mug'];

describe('options of the form NAME=VALUE', () => {
  test('each NAME=VALUE option is split at the first equals sign', () => {
    const { options } = parse(
      'products create',
      ...CREATE,
      '--image',
      'Front=https://files.example/?a=1',
      '--image',
      'Back=b',
    );
    expect(options['image']).toEqual({ Front: 'https://files.example/?a=1', Back: 'b' });
  });

  test.each([
    [
      'products create',
      [...CREATE, '--image', 'Front=a', '--image', 'Back=c', '--image', 'Front=b'],
      '--image Front is given twice',
    ],
    ['products create', [...CREATE, '--text', 'Name=a', '--text', 'Name=a'], '--text Name is given twice'],
    ['products create', [...CREATE, '--text', 'Name'], '--text Name is invalid: use the form NAME=VALUE'],
    [
      'links from-template',
      ['t', '1', '--shop', 'demo', '--rename', 'Größe=Size', '--rename', 'Größe=Colour'],
      '--rename Größe is given twice',
    ],
  ])('the command %s rejects the options %j', (command, argv, message) => {
    const act = () => parse(command, ...argv);
    expect(act).toThrow(UsageError);
    expect(act).toThrow(message);
  });
});

describe('the shop of a command', () => {
  const commandsForShops = commands.filter(({ needs }) => needs === 'shop');

  test.each(commandsForShops)('--shop sets the shop of platen $name', ({ name, args, options }) => {
    const given = args
      .split(' ')
      .filter((word) => word !== '')
      .map(() => 'a=b');
    const needed = Object.entries(options).flatMap(([option, { kind }]) =>
      kind === 'required' ? [`--${option}=x`] : [],
    );
    expect(parse(name, ...given, ...needed, '--shop', 'demo')).toMatchObject({ shop: 'demo', args: given });
    if (given.length === 0) return;
    expect(() => parse(name, '--shop')).toThrow(UsageError);
  });

  test('the shop may be the first argument of commands that accepted it there in earlier releases', () => {
    expect(parse('shops set', 'demo', 'delayMinutes=5')).toMatchObject({ shop: 'demo', args: ['delayMinutes=5'] });
    expect(parse('shops webhook', 'demo')).toMatchObject({ shop: 'demo', args: [] });
    expect(parse('orders show', 'demo', '#1001')).toMatchObject({ shop: 'demo', args: ['#1001'] });
    expect(() => parse('orders show', '#1001')).toThrow('The shop is missing');
    expect(() => parse('orders approve', 'demo', '#1001')).toThrow('The shop is missing');
  });
});

describe.each(commands.map((command) => [command.name, command] as const))('platen %s', (name, command) => {
  test('the command has a one-line help text and a description of each argument', () => {
    expect(command.about).toMatch(/^[A-Z].*[^.]$/);
    for (const word of command.args.split(' ').filter((one) => one !== ''))
      expect(argumentNames).toHaveProperty([word.replaceAll(/[[\]…]/g, '')]);
    expect(parse(name, '--help').wantsHelp).toBe(true);
  });

  test('the command rejects an unknown option', () => {
    const act = () => parse(name, '--unknown');
    expect(act).toThrow(UsageError);
    expect(act).toThrow("Unknown option '--unknown'");
  });
});
