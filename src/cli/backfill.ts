import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { App } from '../app.ts';
import { Backfills } from '../database/backfills.ts';
import type { Shop } from '../database/shops.ts';
import { PlatenError } from '../errors.ts';
import { countRunners } from '../jobs/count-runners.ts';
import { listBackfills, toListed, type ListedBackfill } from '../orders/backfill/list-backfills.ts';
import { startBackfill } from '../orders/backfill/start-backfill.ts';
import { findShopArgument } from './find-shop-argument.ts';
import { withApp } from './open-app.ts';
import { printTable } from './print-table.ts';
import { UsageError } from './usage-error.ts';

const LOOK_MS = 500;
const TELL_MS = 5_000;

const OPTIONS = {
  shop: { type: 'string' },
  since: { type: 'string' },
  'dry-run': { type: 'boolean', default: false },
  'beside-other-app': { type: 'boolean', default: false },
  'no-wait': { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
} as const;

/**
 * `platen backfill --shop SHOP --since DATE [--dry-run] [--beside-other-app] [--no-wait] [--json]`: takes in orders placed from then on,
 * of before the install or of a time in which the app was down. Without `--since` the last ones are shown. Progress goes to standard error.
 */
export async function backfill(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: OPTIONS });
  const { shop: domain, since, json } = values;
  if (domain === undefined) throw new UsageError('Which shop? Give --shop and its domain.');
  await withApp(async (app) => {
    const shop = await findShopArgument(app, domain);
    if (since === undefined) return showLast(await listBackfills(app, shop), json);
    const asked = { since, isDryRun: values['dry-run'], besideOtherApp: values['beside-other-app'] };
    const { id } = await startBackfill(app, shop, { ...asked, by: 'cli' });
    const shown = values['no-wait'] ? await read(app, id) : await untilDone(app, id);
    if (json) return console.log(JSON.stringify(shown));
    show(shop, shown);
  });
}

async function read(app: App, id: string): Promise<ListedBackfill> {
  return toListed(await app.db.manager.findOneByOrFail(Backfills, { id }));
}

/** The app that runs does the work: without one it begins later, and nobody waits for that. */
async function untilDone(app: App, id: string): Promise<ListedBackfill> {
  for (let toldAt = Date.now(); ;) {
    const shown = await read(app, id);
    if (shown.finishedAt !== null) return shown;
    if ((await countRunners(app.db)) === 0) {
      console.error('No worker of Platen runs on this database: it goes on when one does.');
      return shown;
    }
    if (Date.now() - toldAt > TELL_MS) {
      toldAt = Date.now();
      console.error(tellProgress(shown));
    }
    await delay(LOOK_MS);
  }
}

function tellProgress({ orders: { read: looked, taken }, readUntil }: ListedBackfill): string {
  const until = readUntil === null ? '' : `, placed until ${readUntil}`;
  return `${countOf(looked)} looked at${until}; ${taken} to take in.`;
}

function show(shop: Shop, shown: ListedBackfill): void {
  const { dryRun, finishedAt, stopped, orders, found } = shown;
  if (stopped !== null) throw new PlatenError('backfill_stopped', stopped);
  if (finishedAt === null) {
    console.log(`It is under way: "platen backfill --shop ${shop.domain}" tells how far it has come.`);
    return;
  }
  if (dryRun && found.length > 0) showFound(shown);
  const known = orders.known === 0 ? '' : `, ${orders.known} of them known already`;
  const looked = `${countOf(orders.read)} looked at${known}`;
  if (dryRun) console.log(`${looked}. Without --dry-run ${countOf(orders.taken)} would be taken in.`);
  else console.log(`${looked}. ${countOf(orders.taken)} taken in: "platen orders list" tells what becomes of each.`);
}

function showFound({ found, orders }: ListedBackfill): void {
  const rows = found.map(({ name, placedAt, lines, waits }) => {
    const units = lines.map(({ sku, quantity }) => `${quantity} × ${sku ?? 'a line without SKU'}`).join(', ');
    return [name, placedAt, units, waits ?? ''];
  });
  printTable(['ORDER', 'PLACED', 'TO PRINT', 'WAITS'], rows);
  if (orders.taken > found.length) console.log(`and ${orders.taken - found.length} more`);
}

function showLast(backfills: ListedBackfill[], json: boolean): void {
  if (json) return console.log(JSON.stringify(backfills));
  const rows = backfills.map((one) => [
    one.startedAt,
    one.since,
    one.dryRun ? 'dry run' : 'backfill',
    one.stopped ?? (one.finishedAt === null ? 'under way' : 'done'),
    `${one.orders.taken} of ${one.orders.read}`,
  ]);
  printTable(['BEGUN', 'ORDERS SINCE', 'KIND', 'STATE', 'TAKEN'], rows);
}

function countOf(orders: number): string {
  return `${orders} ${orders === 1 ? 'order' : 'orders'}`;
}
