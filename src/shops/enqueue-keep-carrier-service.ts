import type { App } from '../app.ts';
import type { Shop } from '../database/shops.ts';
import type { Queryable } from '../jobs/enqueue.ts';

/** Has the shop's carrier service brought in line with its setting `liveRates`, and looked at in the store; at `runAt`, or now. */
export async function enqueueKeepCarrierService(
  app: App,
  queryable: Queryable,
  { id: shopId }: Pick<Shop, 'id'>,
  runAt?: Date,
): Promise<void> {
  const key = `keep_carrier_service:${shopId}`;
  await app.jobs.enqueue(queryable, 'keep_carrier_service', { shopId }, { key, ...(runAt && { runAt }) });
}
