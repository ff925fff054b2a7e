#!/usr/bin/env node
import { PlatenError } from '../errors.ts';
import { UsageError } from './usage-error.ts';

type Command = (args: string[]) => Promise<void>;

/** Loaded when it is asked for: each starts at once, and the stand-ins may be left out of an image. */
const commands = new Map<string, Command>([
  ['shops list', async (args) => (await import('./shops-list.ts')).shopsList(args)],
  ['shops show', async (args) => (await import('./shops-show.ts')).shopsShow(args)],
  ['shops set', async (args) => (await import('./shops-set.ts')).shopsSet(args)],
  ['shops webhook', async (args) => (await import('./shops-webhook.ts')).shopsWebhook(args)],
  ['orders list', async (args) => (await import('./orders-list.ts')).ordersList(args)],
  ['restored', async (args) => (await import('./restored.ts')).restored(args)],
  ['migrate', async (args) => (await import('./migrate.ts')).migrate(args)],
  ['demo', async (args) => (await import('./demo.ts')).demo(args)],
  ['sandbox', async () => (await import('./sandbox.ts')).sandbox()],
  ['help', help],
  ['--help', help],
]);

async function help(): Promise<void> {
  (await import('./help.ts')).help();
}

async function run(args: string[]): Promise<void> {
  const [first = 'help', second] = args;
  const command = commands.get(first);
  if (command) return command(args.slice(1));
  const subcommand = commands.get(`${first} ${second}`);
  if (!subcommand) throw new UsageError(`There is no command ${args.slice(0, 2).join(' ')}.`);
  return subcommand(args.slice(2));
}

function isUsageFault(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return error instanceof UsageError || code.startsWith('ERR_PARSE_ARGS');
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return `Platen failed: ${String(error)}`;
  if (isUsageFault(error)) return `${error.message.replace(/\.?$/, '.')} See "platen help".`;
  return error instanceof PlatenError ? error.message : `Platen failed: ${error.message}`;
}

// Whoever reads the output may leave before its end.
process.stdout.on('error', () => undefined);

try {
  await run(process.argv.slice(2));
} catch (error) {
  const lines = describe(error).split('\n');
  console.error(lines.map((line) => line.trim()).join(' '));
  process.exitCode = isUsageFault(error) ? 2 : 1;
}
