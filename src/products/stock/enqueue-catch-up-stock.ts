import type { App } from '../../app.ts';
import type { Queryable } from '../../jobs/enqueue.ts';
import { enqueuePass } from '../../jobs/enqueue-pass.ts';

/** Changes come in crowds: one reading is enough for all that come within this time. */
const GATHER_MS = 30_000;

/** Has the stock of a shop's linked products read soon. */
export async function enqueueCatchUpStock(app: App, queryable: Queryable, shopId: number): Promise<void> {
  const runAt = new Date(app.now().getTime() + GATHER_MS);
  await enqueuePass(queryable, 'catch_up_stock', { shopId }, { runAt });
}
