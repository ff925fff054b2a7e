import type { App } from '../app.ts';
import type { Shop } from '../database/entities/shops.ts';

/** An option of a command. `value` is its placeholder in the help. A flag has no value. */
export interface Option {
  kind: 'flag' | 'text' | 'required' | 'list' | 'pairs';
  value?: string;
  about: string;
}

/** `--name` without a value. */
export const flag = (about: string) => ({ kind: 'flag', about }) as const;
/** `--name VALUE`, at most once. */
export const text = (value: string, about: string) => ({ kind: 'text', value, about }) as const;
/** A required `--name VALUE`. */
export const required = (value: string, about: string) => ({ kind: 'required', value, about }) as const;
/** `--name VALUE`, any number of times. */
export const list = (value: string, about: string) => ({ kind: 'list', value, about }) as const;
/** `--name NAME=VALUE`, at most once per NAME. */
export const pairs = (value: string, about: string) => ({ kind: 'pairs', value, about }) as const;

export const json = flag('write JSON');
export const dryRun = flag('show the changes without applying them');
export const noWait = flag('return without waiting for the work to finish');

type Options = Record<string, Option>;
interface Values {
  flag: boolean;
  text: string | undefined;
  required: string;
  list: string[];
  pairs: Record<string, string>;
}

/** The arguments and options that were typed after a command's name, validated against the command table. */
export interface GivenArguments<Of extends Options = Options> {
  args: string[];
  options: { [Name in keyof Of]: Values[Of[Name]['kind']] };
}

interface CommandDescription<Of extends Options> {
  /** A one-line description for the help, without the final period. */
  about: string;
  /** The arguments as the help shows them: `[X]` is optional, and `X…` may be repeated. */
  args?: string;
  options?: Of;
  /** Examples of arguments and options, without the command's name. A test runs each example as written. */
  examples: string[];
  /** Extra lines at the end of the help, loaded only when the help is shown. */
  more?: () => Promise<string[]>;
}

export interface Command
  extends Required<Omit<CommandDescription<Options>, 'more'>>, Pick<CommandDescription<Options>, 'more'> {
  name: string;
  /** What the command needs: one shop (`--shop`), Platen's database, or neither. */
  needs: 'shop' | 'database' | 'nothing';
  /** Whether the shop may be the first argument, without `--shop`. Earlier releases required this, and existing scripts may rely on it. */
  takesShopFirst: boolean;
  run: (given: GivenArguments, app: App, shop: Shop) => Promise<ExitCode>;
}

/** A command's exit code. A command that returns nothing exits with 0. */
export type ExitCode = number | void;

type Run<Of extends Options, Needed extends unknown[]> = (
  given: GivenArguments<Of>,
  ...needed: Needed
) => Promise<ExitCode>;

function defineCommand<Of extends Options, Needed extends unknown[]>(
  needs: Command['needs'],
  name: string,
  described: CommandDescription<Of> & { run: Run<Of, Needed>; takesShopFirst?: boolean },
): Command {
  const { args = '', options, takesShopFirst = false, run, ...rest } = described;
  // The cast is safe: `needs` and `options` determine both what the dispatcher passes and the type of `run`.
  return { name, needs, args, options: options ?? {}, takesShopFirst, ...rest, run: run as unknown as Command['run'] };
}

/** A command that works on one shop. */
export function shopCommand<const Of extends Options = Record<never, Option>>(
  name: string,
  described: CommandDescription<Of> & { run: Run<Of, [App, Shop]>; takesShopFirst?: true },
): Command {
  return defineCommand('shop', name, described);
}

/** A command that works on Platen's database but not on a particular shop. */
export function databaseCommand<const Of extends Options = Record<never, Option>>(
  name: string,
  described: CommandDescription<Of> & { run: Run<Of, [App]> },
): Command {
  return defineCommand('database', name, described);
}

/** A command that itself opens the resources that it needs. */
export function plainCommand<const Of extends Options = Record<never, Option>>(
  name: string,
  described: CommandDescription<Of> & { run: Run<Of, []> },
): Command {
  return defineCommand('nothing', name, described);
}
