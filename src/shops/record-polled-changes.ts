import type { App } from '../app.ts';
import type { Delivery } from '../database/entities/deliveries.ts';

/**
 * The topic of the fulfillment service callback, which does not count as a delivery here. Shopify sends the callback without a webhook
 * subscription, so it does not show whether webhooks arrive.
 */
const CALLBACK = 'fulfillment_order_notification';
const DAY_MS = 86_400_000;

/**
 * SQL for the deliveries from source `n.source` to the shop `s`. Events to any shop with the same print account count, because the service
 * may send an event to any of the account's addresses.
 */
const DELIVERED = `select 1 from deliveries d join shops o on o.id = d.shop_id
  where (o.id = s.id or (n.source = 'print' and o.print_account_id = s.print_account_id))
    and d.source = n.source and d.topic <> '${CALLBACK}'`;

/** SQL: no delivery from source `n.source` to the shop `s` has arrived since the last daily check found the source to be silent. */
export const STILL_SILENT = `n.silent_since is not null and not exists (${DELIVERED} and d.received_at > n.silent_since)`;

/** Records that a poll found a change in these shops that no delivery from the source had reported. */
export async function recordPolledChanges(
  app: App,
  source: Delivery['source'],
  shopIds: Iterable<number>,
): Promise<void> {
  const ids = [...new Set(shopIds)];
  if (ids.length === 0) return;
  await app.db.query(
    `insert into poll_news (shop_id, source, found_at) select id, $2, $3 from shops where id = any($1::int[])
     on conflict (shop_id, source) do update set found_at = excluded.found_at`,
    [ids, source, app.clock.now()],
  );
}

/**
 * Finds the shops for which polls found changes in the last day although no delivery from the source arrived: the store's webhooks or the
 * print service's events are not reaching Platen. A warning is logged for each of these shops, and its page shows the problem until a
 * delivery arrives. Returns the number of warnings.
 */
export async function checkSilentSources(app: App): Promise<number> {
  const now = app.clock.now();
  const dayAgo = new Date(now.getTime() - DAY_MS);
  await app.db.query(
    `update poll_news n set silent_since = case
         when n.found_at < $1 or s.installed_at > $1 or exists (${DELIVERED} and d.received_at >= $1) then null
         else coalesce((select max(x.received_at) from (${DELIVERED.replace('select 1', 'select d.received_at')}) x), s.installed_at) end
     from shops s where s.id = n.shop_id`,
    [dayAgo],
  );
  const silent: { shopId: number; source: string; since: Date }[] = await app.db.query(
    `select n.shop_id as "shopId", n.source, n.silent_since as since from poll_news n join shops s on s.id = n.shop_id
     where n.silent_since is not null and s.state = 'installed' order by n.shop_id`,
  );
  for (const one of silent)
    app.log.warn(one, 'polls find changes that no delivery reported: webhooks or events are not arriving');
  return silent.length;
}

/** When the last delivery from each source arrived, if polls have since found changes that no delivery reported. Otherwise null. */
export interface SilentSources {
  shopify: Date | null;
  print: Date | null;
}

/** Reads a shop's silent sources as the last daily check found them. A source from which a delivery has since arrived is null. */
export async function readSilentSources(app: App, { id }: { id: number }): Promise<SilentSources> {
  const rows: { source: Delivery['source']; since: Date }[] = await app.db.query(
    `select n.source, n.silent_since as since from poll_news n join shops s on s.id = n.shop_id
     where n.shop_id = $1 and ${STILL_SILENT}`,
    [id],
  );
  const sinceOf = (source: Delivery['source']): Date | null => rows.find((row) => row.source === source)?.since ?? null;
  return { shopify: sinceOf('shopify'), print: sinceOf('print') };
}
