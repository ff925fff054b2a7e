import type { App } from '../../app.ts';
import { levelOf } from '../../log.ts';
import { Shops } from '../../database/entities/shops.ts';
import type { PassResult } from '../../jobs/tasks.ts';
import { PrintServiceError } from '../../print/errors.ts';
import { recordPolledChanges } from '../../shops/record-polled-changes.ts';
import { openStoreProducts } from '../store-products/read-store-product.ts';
import { deleteUnlinkedStock, listLinkedProducts } from './linked-products.ts';
import { saveStock, type StockChange } from './save-stock.ts';
import { toStockRows } from './to-stock-rows.ts';
import { enqueueCatchUpStock } from '../../shops/enqueue-shop-jobs.ts';

/** Maximum number of calls in one run of the poll, enough for 25,000 products. The next run continues where this one stopped. */
const MAX_CALLS = 100;
/**
 * If the service is unavailable, the stock is read again after this time, or later if the service requests a longer wait. Otherwise, stock
 * that an event reported as changed would not be read before the next daily poll.
 */
const RETRY_SECONDS = 300;

/**
 * Reads the stock of the products in a shop's print links from the service. Runs daily, to find changes whose events were lost
 * (docs/rules/planning.md#polls), and after each stock event. Changes that an event has reported do not count as missed changes. Without
 * the extended stock call (`extendedCalls` off), nothing is read, because only events report stock. If a call fails, the result has an
 * `error`.
 */
export async function catchUpStock(app: App, { shopId }: { shopId: number }): Promise<PassResult> {
  const scope = await openStoreProducts(app, shopId);
  if (!scope) return { found: 0, fixed: 0 };
  await deleteUnlinkedStock(app, shopId);
  const { extended } = scope.service;
  if (extended === 'unsupported') return { found: 0, fixed: 0 };
  const changes: StockChange[] = [];
  let error: string | null = null;
  let calls = 0;
  const { stockReadTo } = scope.shop;
  let readTo: string | null = null;
  let done = stockReadTo;
  for await (const uids of listLinkedProducts(app, shopId, stockReadTo ?? '')) {
    const readAt = app.clock.now();
    try {
      const stock = await extended.getStockAvailability(uids);
      changes.push(...(await saveStock(app, scope.shop, toStockRows(stock, new Set(uids)), { readAt, asked: uids })));
    } catch (cause) {
      if (!(cause instanceof PrintServiceError)) throw cause;
      app.log[levelOf(cause)](
        { shopId, operation: cause.operation, outcome: cause.outcome },
        'the stock cannot be read',
      );
      error = cause.code;
      // A failure for some products may not affect the others. If the service is unavailable, no further products are read.
      if (isUnavailable(cause)) {
        readTo = done;
        const seconds = Math.max(RETRY_SECONDS, cause.retryAfterSeconds ?? 0);
        const runAt = new Date(app.clock.now().getTime() + seconds * 1000);
        await enqueueCatchUpStock(app.db, shopId, { runAt });
        break;
      }
    }
    calls += 1;
    done = uids.at(-1) ?? null;
    if (calls === MAX_CALLS) {
      readTo = done;
      break;
    }
  }
  await app.db.manager.update(Shops, { id: shopId }, { stockReadTo: readTo });
  const isReported = changes.length > 0 && (await hasReceivedStockEvent(app, shopId, changes));
  const fixed = isReported ? 0 : changes.length;
  if (fixed > 0) await recordPolledChanges(app, 'print', [shopId]);
  return { found: changes.length, fixed, error };
}

/**
 * Returns whether calls for other products would also fail: no response, too many requests, or a gateway's response. A 500 or an unreadable
 * response may concern only these products.
 */
function isUnavailable({ retryable, status }: PrintServiceError): boolean {
  return retryable && (status === null || status === 429 || status > 501);
}

/** Returns whether any shop of the print account has received a stock event since the changed products were last read. */
async function hasReceivedStockEvent(app: App, shopId: number, changes: readonly StockChange[]): Promise<boolean> {
  const since = new Date(Math.min(...changes.map(({ before }) => before.readAt.getTime())));
  const [row]: { reported: boolean }[] = await app.db.query(
    `select exists (
       select from deliveries d join shops o on o.id = d.shop_id join shops s on s.id = $1
       where (o.id = s.id or o.print_account_id = s.print_account_id) and d.source = 'print'
         and d.topic = 'catalog_product_stock_availability_updated' and d.received_at >= $2) as reported`,
    [shopId, since],
  );
  return row?.reported === true;
}
