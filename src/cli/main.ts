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
  ['shops disconnect', async (args) => (await import('./shops-disconnect.ts')).shopsDisconnect(args)],
  ['shops allow-other-app', async (args) => (await import('./shops-allow-other-app.ts')).shopsAllowOtherApp(args)],
  ['orders show', async (args) => (await import('./orders-show.ts')).ordersShow(args)],
  ...(['approve', 'hold', 'retry', 'cancel', 'print-again', 'continue', 'close'] as const).map(
    (action): [string, Command] => [
      `orders ${action}`,
      async (args) => (await import('./orders-act.ts')).ordersAct(action, args),
    ],
  ),
  ['orders costs', async (args) => (await import('./orders-costs.ts')).ordersCosts(args)],
  ['orders list', async (args) => (await import('./orders-list.ts')).ordersList(args)],
  ['links list', async (args) => (await import('./links-list.ts')).linksList(args)],
  ['links set', async (args) => (await import('./links-set.ts')).linksSet(args)],
  ['links delete', async (args) => (await import('./links-delete.ts')).linksDelete(args)],
  ['links metafields', async (args) => (await import('./links-metafields.ts')).linksMetafields(args)],
  ['links check', async (args) => (await import('./links-check.ts')).linksCheck(args)],
  ['links copy', async (args) => (await import('./links-copy.ts')).linksCopy(args)],
  ['links from-template', async (args) => (await import('./links-from-template.ts')).linksFromTemplate(args)],
  ['links import', async (args) => (await import('./links-import.ts')).linksImport(args)],
  ['links export', async (args) => (await import('./links-export.ts')).linksExport(args)],
  ['catalog search', async (args) => (await import('./catalog-search.ts')).catalogSearch(args)],
  ['products stock', async (args) => (await import('./products-stock.ts')).productsStock(args)],
  ['products create', async (args) => (await import('./products-create.ts')).productsCreate(args)],
  ['products list', async (args) => (await import('./products-list.ts')).productsList(args)],
  ['location plan', async (args) => (await import('./location-plan.ts')).locationPlan(args)],
  ['location apply', async (args) => (await import('./location-apply.ts')).locationApply(args)],
  ['location list', async (args) => (await import('./location-list.ts')).locationList(args)],
  ['privacy list', async (args) => (await import('./privacy-list.ts')).privacyList(args)],
  ['privacy export', async (args) => (await import('./privacy-export.ts')).privacyExport(args)],
  ['privacy redact', async (args) => (await import('./privacy-redact.ts')).privacyRedact(args)],
  ['privacy forget', async (args) => (await import('./privacy-forget.ts')).privacyForget(args)],
  ['backfill', async (args) => (await import('./backfill.ts')).backfill(args)],
  ['leave', async (args) => (await import('./leave.ts')).leave(args)],
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
