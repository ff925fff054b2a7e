import type { StorefrontOrder } from '../database/orders.ts';
import type { Shop } from '../database/shops.ts';
import { enqueueClearTold } from '../orders/leave/enqueue-clear-told.ts';
import type { TellScope } from './tell-store.ts';

/** What the store was told of an order, by what it is about. */
export interface Told {
  /** Our tags that the order has. */
  tags?: string[];
  /** Our tags that it may have too: an answer may have been lost. */
  triedTags?: string[];
  /** A hash of what each of our metafields says. */
  metafields?: Record<string, string>;
  /** What its fulfillment orders are held for, our holds on them by the fulfillment order's id, and whether there may be more. */
  holds?: { why: string; ids: Record<string, string>; isTried?: boolean };
}

/** What the store was told of an order. */
export function readTold({ told }: Pick<StorefrontOrder, 'told'>): Told {
  return told;
}

/** Keeps what the store was told, beside what others have told it. What is told while the shop is being left is taken back as well. */
export async function keepTold(
  { app, storefrontOrder }: Pick<TellScope, 'app' | 'storefrontOrder'>,
  news: Told,
): Promise<void> {
  const { id, shopId } = storefrontOrder;
  const [[row]]: [Pick<Shop, 'state'>[], number] = await app.db.query(
    `update storefront_orders set told = told || $2::jsonb where id = $1
     returning (select state from shops where shops.id = storefront_orders.shop_id) as state`,
    [id, JSON.stringify(news)],
  );
  storefrontOrder.told = { ...storefrontOrder.told, ...news };
  if (row?.state === 'leaving') await enqueueClearTold(app, app.db, { id: shopId });
}
