import type { StorefrontOrder } from '../database/orders.ts';
import type { TellScope } from './tell-store.ts';

/** What the store was told of an order, by what it is about. */
export interface Told {
  /** Our tags that the order has. */
  tags?: string[];
  /** Our tags that it may have too: an answer may have been lost. */
  triedTags?: string[];
  /** A hash of what each of our metafields says. */
  metafields?: Record<string, string>;
  /** What its fulfillment orders are held for, and our holds on them by the fulfillment order's id. */
  holds?: { why: string; ids: Record<string, string> };
}

/** What the store was told of an order. */
export function readTold({ told }: Pick<StorefrontOrder, 'told'>): Told {
  return told;
}

/** Keeps what the store was told, beside what others have told it. */
export async function keepTold(
  { app, storefrontOrder }: Pick<TellScope, 'app' | 'storefrontOrder'>,
  news: Told,
): Promise<void> {
  const text = JSON.stringify(news);
  await app.db.query('update storefront_orders set told = told || $2::jsonb where id = $1', [storefrontOrder.id, text]);
  storefrontOrder.told = { ...storefrontOrder.told, ...news };
}
