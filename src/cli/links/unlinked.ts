import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { iterateUnlinkedVariants } from '../../orders/unlinked/list-unlinked-variants.ts';
import { markOwnStock } from '../../orders/unlinked/mark-own-stock.ts';
import { settleUnlinkedLines, type SettledUnlinked } from '../../orders/unlinked/settle-unlinked-lines.ts';
import { writeLine, writeJson, writeJsonList, writeTable } from '../../terminal.ts';
import type { GivenArguments } from '../command.ts';
import { toTarget } from './links.ts';
import { UsageError } from '../usage-error.ts';

const PRODUCT = 'product:';

/** `platen links waiting`: lists the variants whose orders were not printed because the variants had no print link. */
export async function linksWaiting({ json }: { json: boolean }, app: App, shop: Shop): Promise<void> {
  const variants = iterateUnlinkedVariants(app, shop);
  if (json) return writeJsonList(variants);
  const rows: string[][] = [];
  for await (const { variantId, sku, orders, units, since, linked } of variants) {
    const next = linked ? 'linked: print or leave' : 'not linked';
    const variant = variantId?.split('/').at(-1) ?? '';
    rows.push([variant, sku ?? '', String(orders), String(units), since.slice(0, 10), next]);
  }
  if (rows.length === 0) writeLine('No orders are waiting for a print link.');
  else writeTable(['VARIANT', 'SKU', 'ORDERS', 'UNITS', 'SINCE', 'STATE'], rows);
}

interface SettleOptions {
  all: boolean;
  'dry-run': boolean;
  json: boolean;
}

/** `platen links print|leave`: prints orders that were placed before their product had a print link, or leaves them to the merchant. */
export async function linksSettle(
  word: 'print' | 'leave',
  { args, options }: Pick<GivenArguments, 'args'> & { options: SettleOptions },
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
    settled.push(await settleUnlinkedLines(app, shop, { word, target, isDryRun, by: 'cli' }));
  if (json) writeJson(settled);
  else reportSettled(word, settled, isDryRun);
}

function reportSettled(word: 'print' | 'leave', settled: readonly SettledUnlinked[], isDryRun: boolean): void {
  const found = settled.flatMap((one) => one.found);
  const orders = settled.reduce((sum, one) => sum + one.orders, 0);
  if (orders === 0) return writeLine('No orders are waiting for this link.');
  const lines = ({ lines: ofOrder }: SettledUnlinked['found'][number]): string =>
    ofOrder.map(({ sku, quantity }) => `${quantity} of ${sku ?? 'a line without a SKU'}`).join(', ');
  if (found.length > 0)
    writeTable(
      ['ORDER', 'PLACED', 'LINES'],
      found.map((order) => [order.name, order.placedAt.slice(0, 10), lines(order)]),
    );
  const isOne = orders === 1;
  const count = isOne ? 'One order' : `${orders} orders`;
  const done = word === 'print' ? 'sent to print' : 'left to you';
  if (isDryRun) return writeLine(`${count} found. Without --dry-run, ${isOne ? 'it' : 'they'} would be ${done}.`);
  const first =
    ' Platen first reads each order from the store again, and prints it unless it is held for another reason.';
  writeLine(`${count} ${isOne ? 'is' : 'are'} ${done}.${word === 'print' ? first : ''}`);
}

/**
 * `platen links own`: records that the merchant ships a variant or product without Platen, so that Platen no longer reports orders for it.
 */
export async function linksOwn(
  { args, options: { undo: isUndone } }: Pick<GivenArguments, 'args'> & { options: { undo: boolean } },
  app: App,
  shop: Shop,
): Promise<void> {
  for (const one of args) {
    const target = one.startsWith(PRODUCT) ? { productId: one.slice(PRODUCT.length) } : { variantId: one };
    await markOwnStock(app, shop, target, { by: 'cli', isUndone });
    writeLine(
      `${one}: ${isUndone ? 'Platen reports new orders again.' : 'you ship it yourself, and Platen no longer reports its orders.'}`,
    );
  }
}
