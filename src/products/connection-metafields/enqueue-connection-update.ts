import { type Queryable } from '../../jobs/enqueue.ts';
import { enqueueWriteConnections } from '../../shops/enqueue-shop-jobs.ts';

/**
 * Enqueues the job that writes connections to the store's metafields. Call it when connections of a shop's variants have changed, or may
 * have changed unnoticed. Does nothing if the shop has switched off the metafields and none remain in the store. Runs in the caller's
 * transaction.
 */
export async function enqueueConnectionUpdate(queryable: Queryable, shopId: number): Promise<void> {
  const [shop] = (await queryable.query(WRITES_CONNECTIONS, [shopId])) as unknown[];
  if (shop !== undefined) await enqueueWriteConnections(queryable, shopId);
}

const WRITES_CONNECTIONS = `
  select from shops where id = $1 and state = 'installed'
    and ((settings ->> 'writesConnectionStatus')::boolean or exists (select from connection_metafields where shop_id = $1))`;
