import type { App } from '../app.ts';
import { PlatenError } from '../errors.ts';
import { writeLine, writeErrorLine } from '../terminal.ts';
import type { Command, ExitCode } from './command.ts';
import { commands } from './commands.ts';
import { help } from './describe-command.ts';
import { findShopArgument } from './shops/find-shop-argument.ts';
import { withApp } from './open-app.ts';
import { parseCommandLine } from './parse-command-line.ts';
import { UsageError } from './usage-error.ts';
import { readVersion } from '../read-version.ts';

type Open = (act: (app: App) => Promise<ExitCode>) => Promise<ExitCode>;

/**
 * Runs one command line and returns its exit code: 0 for success, 1 for a failed command, 2 for an invalid command line. Commands that find
 * problems define further codes. `open` provides the app of commands that need one.
 */
export async function run(argv: readonly string[], open: Open = withApp): Promise<number> {
  const command = findCommand(argv);
  try {
    if (command) return (await runCommand(command, argv.slice(command.name.split(' ').length), open)) ?? 0;
    await runWithoutCommand(argv);
    return 0;
  } catch (error) {
    writeErrorLine(describeError(error, command));
    return error instanceof UsageError ? 2 : 1;
  }
}

/** Returns the command whose name matches the first words. A two-word name takes precedence over a one-word name. */
function findCommand(argv: readonly string[]): Command | undefined {
  const named = (words: number) => commands.find(({ name }) => name === argv.slice(0, words).join(' '));
  return named(2) ?? named(1);
}

async function runCommand(command: Command, argv: readonly string[], open: Open): Promise<ExitCode> {
  const { wantsHelp, shop: domain, ...given } = parseCommandLine(command, argv);
  if (wantsHelp) return help(commands, command.name.split(' '));
  // The function of a command that needs nothing takes neither the app nor a shop.
  const run = command.run as (...needed: unknown[]) => Promise<ExitCode>;
  if (command.needs === 'nothing') return run(given);
  return open(async (app) =>
    domain === null ? run(given, app) : run(given, app, await findShopArgument(app, domain)),
  );
}

/** Shows the help, the version, or the commands of a group. Throws UsageError for anything else. */
async function runWithoutCommand(argv: readonly string[]): Promise<void> {
  const [first, second] = argv;
  if (first === '--version' || first === '-v') return writeLine(`platen ${readVersion()}`);
  if (first === undefined || first === '--help' || first === '-h') return help(commands, []);
  if (second === undefined || second === '--help' || second === '-h') return help(commands, [first]);
  throw new UsageError(`The command ${first} ${second} does not exist.`);
}

function describeError(error: unknown, command: Command | undefined): string {
  if (!(error instanceof Error)) return `Platen failed: ${String(error)}`;
  const lines = error.message.split('\n').map((line) => line.trim());
  const message = lines.filter((line) => line !== '').join(' ');
  if (error instanceof UsageError) {
    const help = command === undefined ? 'platen help' : `platen ${command.name} --help`;
    return `${message} See "${help}".`;
  }
  if (!(error instanceof PlatenError)) return `Platen failed: ${message}`;
  return error.change === null ? message : `${message} On the command line: "platen shops set ${error.change}".`;
}
