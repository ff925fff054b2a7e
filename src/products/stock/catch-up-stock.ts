import type { App } from '../../app.ts';
import { levelOf } from '../../log.ts';
import { Shops } from '../../database/entities/shops.ts';
import type { PassResult } from '../../jobs/tasks.ts';
import { PrintServiceError } from '../../print/errors.ts';
import { notePollNews } from '../../shops/poll-news.ts';
import { openStoreProducts } from '../store-products/read-store-product.ts';
import { forgetUnlinked, linkedProducts } from './linked-products.ts';
import { saveStock, type StockChange } from './save-stock.ts';
import { toStockRows } from './to-stock-rows.ts';
import { enqueue } from '../../jobs/enqueue.ts';

/** 25,000 products; the next pass goes on from there. */
const MOST_CALLS = 100;
/** A service that is out is asked again after this, or later if it says so: what an event told does not wait for the next day. */
const AGAIN_SECONDS = 300;

/**
 * Reads from the service what it has in stock of the products that a shop's print links name: daily, for what lost events told
 * (docs/rules/planning.md#polls "Polls"), and whenever an event says that it has changed. What an event has told is no news.
 * Without the call (`extendedCalls` off) the events alone are known. What the service does not answer is the result's `error`.
 */
export async function catchUpStock(app: App, { shopId }: { shopId: number }): Promise<PassResult> {
  const scope = await openStoreProducts(app, shopId);
  if (!scope) return { found: 0, mended: 0 };
  await forgetUnlinked(app, shopId);
  const { extended } = scope.service;
  if (extended === 'unsupported') return { found: 0, mended: 0 };
  const changes: StockChange[] = [];
  let error: string | null = null;
  let calls = 0;
  const { stockReadTo } = scope.shop;
  let readTo: string | null = null;
  let done = stockReadTo;
  for await (const uids of linkedProducts(app, shopId, stockReadTo ?? '')) {
    const readAt = app.now();
    try {
      const told = await extended.getStockAvailability(uids);
      changes.push(...(await saveStock(app, scope.shop, toStockRows(told, new Set(uids)), { readAt, asked: uids })));
    } catch (cause) {
      if (!(cause instanceof PrintServiceError)) throw cause;
      app.log[levelOf(cause)](
        { shopId, operation: cause.operation, outcome: cause.outcome },
        'the stock cannot be read',
      );
      error = cause.code;
      // What cannot be told of some products says nothing of the others; where the service is out, none is asked.
      if (isOut(cause)) {
        readTo = done;
        const seconds = Math.max(AGAIN_SECONDS, cause.retryAfterSeconds ?? 0);
        const runAt = new Date(app.now().getTime() + seconds * 1000);
        await enqueue(app.db, 'catch_up_stock', { shopId }, { runAt });
        break;
      }
    }
    calls += 1;
    done = uids.at(-1) ?? null;
    if (calls === MOST_CALLS) {
      readTo = done;
      break;
    }
  }
  await app.db.manager.update(Shops, { id: shopId }, { stockReadTo: readTo });
  const isTold = changes.length > 0 && (await wasTold(app, shopId, changes));
  const mended = isTold ? 0 : changes.length;
  if (mended > 0) await notePollNews(app, 'print', [shopId]);
  return { found: changes.length, mended, error };
}

/**
 * Whether others would meet the same: no answer, too many requests, or a gateway's. An answer of 500 or one that cannot be read may
 * be of these products alone.
 */
function isOut({ retryable, status }: PrintServiceError): boolean {
  return retryable && (status === null || status === 429 || status > 501);
}

/** Whether an event of stock has come to the shop, or to another of its print account, since the first of these was read before. */
async function wasTold(app: App, shopId: number, changes: readonly StockChange[]): Promise<boolean> {
  const since = new Date(Math.min(...changes.map(({ before }) => before.readAt.getTime())));
  const [row]: { told: boolean }[] = await app.db.query(
    `select exists (
       select from deliveries d join shops o on o.id = d.shop_id join shops s on s.id = $1
       where (o.id = s.id or o.print_account_id = s.print_account_id) and d.source = 'print'
         and d.topic = 'catalog_product_stock_availability_updated' and d.received_at >= $2) as told`,
    [shopId, since],
  );
  return row?.told === true;
}
