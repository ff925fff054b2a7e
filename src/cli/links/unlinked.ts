import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { allUnlinked } from '../../orders/unlinked/list-unlinked.ts';
import { sayOwn } from '../../orders/unlinked/say-own.ts';
import { settleUnlinked, type SettledUnlinked } from '../../orders/unlinked/settle-unlinked.ts';
import { say, sayJson, sayJsonList, sayTable } from '../../terminal.ts';
import type { Given } from '../command.ts';
import { toTarget } from './links.ts';
import { UsageError } from '../usage-error.ts';

const PRODUCT = 'product:';

/** `platen links waiting`: lists the variants whose orders were not printed because the variants had no print link. */
export async function linksWaiting({ json }: { json: boolean }, app: App, shop: Shop): Promise<void> {
  const variants = allUnlinked(app, shop);
  if (json) return sayJsonList(variants);
  const rows: string[][] = [];
  for await (const { variantId, sku, orders, units, since, linked } of variants) {
    const next = linked ? 'linked: print or leave' : 'not linked';
    const variant = variantId?.split('/').at(-1) ?? '';
    rows.push([variant, sku ?? '', String(orders), String(units), since.slice(0, 10), next]);
  }
  if (rows.length === 0) say('No orders are waiting for a print link.');
  else sayTable(['VARIANT', 'SKU', 'ORDERS', 'UNITS', 'SINCE', 'STATE'], rows);
}

interface SettleOptions {
  all: boolean;
  'dry-run': boolean;
  json: boolean;
}

/** `platen links print|leave`: prints orders that were placed before their product had a print link, or leaves them to the merchant. */
export async function linksSettle(
  word: 'print' | 'leave',
  { args, options }: Pick<Given, 'args'> & { options: SettleOptions },
  app: App,
  shop: Shop,
): Promise<void> {
  const { all, json, 'dry-run': isDryRun } = options;
  if (all === args.length > 0)
    throw new UsageError(
      'Enter either LINK (variant IDs, or sku: followed by a SKU) or --all (all links that exist now).',
    );
  const settled: SettledUnlinked[] = [];
  for (const target of all ? [null] : args.map(toTarget))
    settled.push(await settleUnlinked(app, shop, { word, target, isDryRun, by: 'cli' }));
  if (json) sayJson(settled);
  else show(word, settled, isDryRun);
}

function show(word: 'print' | 'leave', settled: readonly SettledUnlinked[], isDryRun: boolean): void {
  const found = settled.flatMap((one) => one.found);
  const orders = settled.reduce((sum, one) => sum + one.orders, 0);
  if (orders === 0) return say('No orders are waiting for this link.');
  const lines = ({ lines: ofOrder }: SettledUnlinked['found'][number]): string =>
    ofOrder.map(({ sku, quantity }) => `${quantity} of ${sku ?? 'a line without a SKU'}`).join(', ');
  if (found.length > 0)
    sayTable(
      ['ORDER', 'PLACED', 'LINES'],
      found.map((order) => [order.name, order.placedAt.slice(0, 10), lines(order)]),
    );
  const isOne = orders === 1;
  const count = isOne ? 'One order' : `${orders} orders`;
  const done = word === 'print' ? `${isOne ? 'goes' : 'go'} to print` : `${isOne ? 'is' : 'are'} left to you`;
  if (isDryRun) return say(`${count} found. Without --dry-run, ${isOne ? 'it' : 'they'} ${done}.`);
  const first =
    ' Platen first reads each order from the store again, and prints it unless it is held for another reason.';
  say(`${count} ${done}.${word === 'print' ? first : ''}`);
}

/**
 * `platen links own`: records that the merchant ships a variant or product without Platen, so that Platen no longer reports orders for it.
 */
export async function linksOwn(
  { args, options: { undo: isUndone } }: Pick<Given, 'args'> & { options: { undo: boolean } },
  app: App,
  shop: Shop,
): Promise<void> {
  for (const one of args) {
    const target = one.startsWith(PRODUCT) ? { productId: one.slice(PRODUCT.length) } : { variantId: one };
    await sayOwn(app, shop, target, { by: 'cli', isUndone });
    say(
      `${one}: ${isUndone ? 'Platen reports new orders again.' : 'you ship it yourself, and Platen no longer reports its orders.'}`,
    );
  }
}
