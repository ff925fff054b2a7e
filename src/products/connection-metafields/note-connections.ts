import { enqueue, type Queryable } from '../../jobs/enqueue.ts';

/**
 * Connections of a shop's variants have changed, or may have while nobody noted it: has that written to the store, where the shop wants it
 * or shows some of before. In the caller's transaction.
 */
export async function noteConnections(queryable: Queryable, shopId: number): Promise<void> {
  const [shop] = (await queryable.query(TELLS, [shopId])) as unknown[];
  if (shop !== undefined) await enqueue(queryable, 'write_connections', { shopId });
}

const TELLS = `
  select from shops where id = $1 and state = 'installed'
    and ((settings ->> 'writesConnectionStatus')::boolean or exists (select from connection_metafields where shop_id = $1))`;
