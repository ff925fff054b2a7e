import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';
import type { Command, GivenArguments } from './command.ts';
import { UsageError } from './usage-error.ts';

/** Descriptions of the arguments, for the help. */
export const argumentNames: Readonly<Record<string, string>> = {
  ORDER: "an order's name, such as #1001, or its ID",
  ORDER_ID: "an order's Shopify ID, as digits or a GID",
  REFERENCE: 'a print order\'s reference, from "platen orders show"',
  LINK: "a variant's ID, or sku:MUG-11OZ for all variants with that SKU",
  TEMPLATE: 'a template ID, from "platen templates list"',
  PRODUCT: "a product's ID in the store",
  CATALOG: 'a catalog UID, from "platen catalog search"',
  FILE: 'the path to a CSV file, or - for standard input',
  PATH: 'the path of the new file, or of an existing folder for a file that is named after the current time',
  BACKUP: 'the path of a file that "platen backup" wrote',
  ID: 'a request ID, from "platen privacy list"',
  COMMAND: 'the name of a command, such as orders list',
  'VARIANT|product:ID': "a variant's ID, or product: followed by a product's ID in the store",
  'name=value': 'a setting and its new value',
};

export interface ParsedCommandLine extends GivenArguments {
  /** The shop as typed, or null if the command does not apply to a shop. */
  shop: string | null;
  wantsHelp: boolean;
}

/** Parses the words after a command's name according to the command table. Throws UsageError. */
export function parseCommandLine(command: Command, argv: readonly string[]): ParsedCommandLine {
  const { values, positionals } = readArgs(command, argv);
  const wantsHelp = values['help'] === true;
  if (wantsHelp) return { shop: null, wantsHelp, args: [], options: {} };
  const options = Object.fromEntries(
    Object.entries(command.options).map(([name, { kind, about }]) => {
      const value = values[name];
      if (kind === 'required' && value === undefined) throw new UsageError(`--${name} is missing: enter ${about}.`);
      if (kind === 'flag') return [name, value === true];
      if (kind === 'pairs') return [name, toPairs(name, (value ?? []) as string[])];
      return [name, kind === 'list' ? (value ?? []) : value];
    }),
  ) as GivenArguments['options'];
  const shop = command.needs === 'shop' ? readShop(command, values['shop'], positionals) : null;
  checkArgumentCount(command, positionals);
  return { shop, wantsHelp, args: positionals, options };
}

function readArgs(command: Command, argv: readonly string[]) {
  const config: ParseArgsOptionsConfig = { help: { type: 'boolean', short: 'h' } };
  if (command.needs === 'shop') config['shop'] = { type: 'string' };
  for (const [name, { kind }] of Object.entries(command.options))
    config[name] =
      kind === 'flag' ? { type: 'boolean' } : { type: 'string', multiple: kind === 'list' || kind === 'pairs' };
  try {
    return parseArgs({ args: [...argv], options: config, allowPositionals: true });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // Node appends sentences about its own conventions. Only the first sentence is useful to a user of this program.
    const [sentence = error.message] = error.message.split(/\. |\n/);
    throw new UsageError(`${sentence.replace(/\.$/, '')}.`);
  }
}

/** Returns the shop that was given with `--shop`, or as the first argument if the command allows that. */
function readShop({ takesShopFirst, args }: Command, given: unknown, positionals: string[]): string {
  const isFirst = takesShopFirst && positionals.length > wordsOf(args).filter(isRequired).length;
  const shop = given ?? (isFirst ? positionals.shift() : undefined);
  if (typeof shop !== 'string') throw new UsageError('The shop is missing: enter its domain with --shop.');
  return shop;
}

const wordsOf = (args: string): string[] => args.split(' ').filter((word) => word !== '');
const isRequired = (word: string): boolean => !word.startsWith('[');

function checkArgumentCount({ args }: Command, given: readonly string[]): void {
  const words = wordsOf(args);
  const required = words.filter(isRequired);
  const missing = required[given.length];
  if (missing !== undefined) {
    const name = missing.replace('…', '');
    throw new UsageError(`${name} is missing: enter ${argumentNames[name] ?? 'it'}.`);
  }
  const extra = words.some((word) => word.includes('…')) ? undefined : given[words.length];
  if (extra !== undefined) throw new UsageError(`Unexpected argument: ${extra}.`);
}

/** Returns the values of a repeated NAME=VALUE option, by name. Throws UsageError for a malformed pair or a repeated name. */
function toPairs(option: string, given: readonly string[]): Record<string, string> {
  const pairs = new Map<string, string>();
  for (const one of given) {
    const [name = '', value = ''] = one.split(/=(.*)/s);
    if (name === '' || value === '') throw new UsageError(`--${option} ${one} is invalid: use the form NAME=VALUE.`);
    if (pairs.has(name)) throw new UsageError(`--${option} ${name} is given twice: give it once.`);
    pairs.set(name, value);
  }
  return Object.fromEntries(pairs);
}
