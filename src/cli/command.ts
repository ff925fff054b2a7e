import type { App } from '../app.ts';
import type { Shop } from '../database/entities/shops.ts';

/** An option of a command. `value` is its placeholder in the help; a flag has none. */
export interface Option {
  kind: 'flag' | 'text' | 'required' | 'list' | 'pairs';
  value?: string;
  about: string;
}

/** `--name`: on or off. */
export const flag = (about: string) => ({ kind: 'flag', about }) as const;
/** `--name VALUE`, once. */
export const text = (value: string, about: string) => ({ kind: 'text', value, about }) as const;
/** `--name VALUE`, which may not be left out. */
export const required = (value: string, about: string) => ({ kind: 'required', value, about }) as const;
/** `--name VALUE`, any number of times. */
export const list = (value: string, about: string) => ({ kind: 'list', value, about }) as const;
/** `--name NAME=VALUE`, once for each name. */
export const pairs = (value: string, about: string) => ({ kind: 'pairs', value, about }) as const;

export const json = flag('write JSON');
export const dryRun = flag('show what would be done and change nothing');
export const noWait = flag('do not wait until it is done');

type Options = Record<string, Option>;
interface Values {
  flag: boolean;
  text: string | undefined;
  required: string;
  list: string[];
  pairs: Record<string, string>;
}

/** What a person typed after the name of a command, checked against the table. */
export interface Given<Of extends Options = Options> {
  args: string[];
  options: { [Name in keyof Of]: Values[Of[Name]['kind']] };
}

interface Described<Of extends Options> {
  /** One line of help, without its full stop. */
  about: string;
  /** Arguments as the help shows them: `[X]` may be left out, `X…` may be repeated. */
  args?: string;
  options?: Of;
  /** What follows the name of the command; each runs as it is written, in a test. */
  examples: string[];
  /** Lines at the end of the help, read when they are asked for. */
  more?: () => Promise<string[]>;
}

export interface Command extends Required<Omit<Described<Options>, 'more'>>, Pick<Described<Options>, 'more'> {
  name: string;
  /** What it is about: one shop (`--shop`), the database of Platen, or neither. */
  needs: 'shop' | 'database' | 'nothing';
  /** Earlier releases named the shop first, without `--shop`: scripts may still do so. */
  takesShopFirst: boolean;
  run: (given: Given, app: App, shop: Shop) => Promise<void>;
}

type Run<Of extends Options, Needed extends unknown[]> = (given: Given<Of>, ...needed: Needed) => Promise<void>;

function define<Of extends Options, Needed extends unknown[]>(
  needs: Command['needs'],
  name: string,
  described: Described<Of> & { run: Run<Of, Needed>; takesShopFirst?: boolean },
): Command {
  const { args = '', options, takesShopFirst = false, run, ...rest } = described;
  // The dispatcher gives what `needs` and `options` say, which the types of `run` follow from.
  return { name, needs, args, options: options ?? {}, takesShopFirst, ...rest, run: run as unknown as Command['run'] };
}

/** A command about one shop. */
export function shopCommand<const Of extends Options = Record<never, Option>>(
  name: string,
  described: Described<Of> & { run: Run<Of, [App, Shop]>; takesShopFirst?: true },
): Command {
  return define('shop', name, described);
}

/** A command about the database of Platen and no shop in particular. */
export function databaseCommand<const Of extends Options = Record<never, Option>>(
  name: string,
  described: Described<Of> & { run: Run<Of, [App]> },
): Command {
  return define('database', name, described);
}

/** A command that opens what it needs itself. */
export function plainCommand<const Of extends Options = Record<never, Option>>(
  name: string,
  described: Described<Of> & { run: Run<Of, []> },
): Command {
  return define('nothing', name, described);
}
