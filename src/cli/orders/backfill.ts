import type { App } from '../../app.ts';
import { Backfills } from '../../database/entities/backfills.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { PlatenError } from '../../errors.ts';
import { countRunners } from '../../jobs/runner/count-runners.ts';
import { listBackfills, toListedBackfill, type ListedBackfill } from '../../orders/backfill/list-backfills.ts';
import { startBackfill } from '../../orders/backfill/start-backfill.ts';
import { writeLine, writeErrorLine, writeJson, writeTable } from '../../terminal.ts';
import { NO_WORKER } from '../wait-for-variant-sync.ts';
import { describeCount } from '../describe-count.ts';

const POLL_MS = 500;
const REPORT_MS = 5_000;

interface Options {
  since: string | undefined;
  'dry-run': boolean;
  'beside-other-app': boolean;
  'no-wait': boolean;
  json: boolean;
}

/**
 * `platen backfill`: imports the orders placed since a given day, either before the install or while the app was down. Without `--since`,
 * lists the most recent backfills. Progress is written to standard error.
 */
export async function backfill({ since, json, ...options }: Options, app: App, shop: Shop): Promise<void> {
  if (since === undefined) return reportLastBackfills(await listBackfills(app, shop), json);
  const asked = { since, isDryRun: options['dry-run'], besideOtherApp: options['beside-other-app'] };
  const { id } = await startBackfill(app, shop, { ...asked, by: 'cli' });
  const shown = options['no-wait'] ? await readBackfill(app, id) : await waitUntilDone(app, id);
  if (json) return writeJson(shown);
  reportBackfill(shop, shown);
}

async function readBackfill(app: App, id: string): Promise<ListedBackfill> {
  return toListedBackfill(await app.db.manager.findOneByOrFail(Backfills, { id }));
}

/** Waits until the running app has done the work. If no worker is running, returns immediately, and the backfill starts later. */
async function waitUntilDone(app: App, id: string): Promise<ListedBackfill> {
  for (let reportedAt = app.clock.now().getTime(); ;) {
    const shown = await readBackfill(app, id);
    if (shown.finishedAt !== null) return shown;
    if ((await countRunners(app.db)) === 0) {
      writeErrorLine(NO_WORKER);
      return shown;
    }
    if (app.clock.now().getTime() - reportedAt > REPORT_MS) {
      reportedAt = app.clock.now().getTime();
      writeErrorLine(describeProgress(shown));
    }
    await app.clock.sleep(POLL_MS);
  }
}

function describeProgress({ orders: { read: checked, taken }, readUntil }: ListedBackfill): string {
  const until = readUntil === null ? '' : `, placed until ${readUntil}`;
  return `${describeCount(checked, 'order')} checked${until}; ${taken} to import.`;
}

function reportBackfill(shop: Shop, shown: ListedBackfill): void {
  const { dryRun, finishedAt, stopped, orders, found } = shown;
  if (stopped !== null) throw new PlatenError('backfill_stopped', stopped);
  if (finishedAt === null) {
    writeLine(`The backfill is in progress. "platen backfill --shop ${shop.domain}" shows its progress.`);
    return;
  }
  if (dryRun && found.length > 0) reportFoundOrders(shown);
  const known = orders.known === 0 ? '' : `, ${orders.known} of them already known`;
  const checked = `${describeCount(orders.read, 'order')} checked${known}`;
  if (dryRun) writeLine(`${checked}. Without --dry-run, ${describeCount(orders.taken, 'order')} would be imported.`);
  else
    writeLine(
      `${checked}. ${describeCount(orders.taken, 'order')} imported. "platen orders list" shows the state of each order.`,
    );
  const others = orders.read - orders.known - orders.taken;
  if (others > 0)
    writeLine(
      `${describeCount(others, 'order')} left out: unpaid, canceled, closed, completely fulfilled${dryRun ? ', or without anything to print' : ''}.`,
    );
}

function reportFoundOrders({ found, orders }: ListedBackfill): void {
  const rows = found.map(({ name, placedAt, lines, waits }) => {
    const units = lines.map(({ sku, quantity }) => `${quantity} × ${sku ?? 'a line without a SKU'}`).join(', ');
    return [name, placedAt, units, waits ?? ''];
  });
  writeTable(['ORDER', 'PLACED', 'TO PRINT', 'WAITS'], rows);
  if (orders.taken > found.length) writeLine(`and ${orders.taken - found.length} more`);
}

function reportLastBackfills(backfills: ListedBackfill[], json: boolean): void {
  if (json) return writeJson(backfills);
  const rows = backfills.map((one) => [
    one.startedAt,
    one.since,
    one.dryRun ? 'dry run' : 'backfill',
    one.stopped ?? (one.finishedAt === null ? 'in progress' : 'done'),
    `${one.orders.taken} of ${one.orders.read}`,
  ]);
  writeTable(['STARTED', 'ORDERS SINCE', 'KIND', 'STATE', 'IMPORTED'], rows);
}
