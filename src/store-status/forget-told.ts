import type { StorefrontOrder } from '../database/entities/orders.ts';
import type { ClearScope } from './clear-scope.ts';
import { readTold, type Told } from '../orders/store-view/told.ts';

/** Orders per call: 50 changes cost half of a call's limit, which leaves room in the shop's rate limit for its orders. */
const ORDERS_A_PAGE = 50;

export type ToldOrder = Pick<StorefrontOrder, 'id' | 'shopifyOrderId'> & { told: Told };

/** The next 50 orders of the shop with recorded changes that match `isToClear`, an SQL condition on storefront order `o`. */
export async function findTold({ app, shop }: ClearScope, isToClear: string): Promise<ToldOrder[]> {
  const orders: Pick<StorefrontOrder, 'id' | 'shopifyOrderId' | 'told'>[] = await app.db.query(
    `select o.id, o.shopify_order_id as "shopifyOrderId", o.told from storefront_orders o
     where o.shop_id = $1 and o.told <> '{}' and ${isToClear} order by o.id limit $2`,
    [shop.id, ORDERS_A_PAGE],
  );
  return orders.map((order) => ({ ...order, told: readTold(order) }));
}

/** A timeline entry. */
export interface Note {
  kind: string;
  message: string;
}

/**
 * Forgets recorded changes that the store no longer shows, so that a shop that returns makes them again, unless they were made again
 * meanwhile. `noteOf` returns the timeline entry of an order; null: no entry.
 */
export async function forgetTold(
  { app, shop, cleared }: ClearScope,
  orders: readonly ToldOrder[],
  { parts, noteOf }: { parts: readonly (keyof Told)[]; noteOf: (order: ToldOrder) => Note | null },
): Promise<void> {
  const rows = orders.map((order) => ({ id: order.id, was: pick(order.told, parts), ...noteOf(order) }));
  await app.db.query(FORGET, [shop.id, parts, JSON.stringify(rows)]);
  for (const { id } of orders) cleared.add(id);
}

function pick(told: Told, parts: readonly (keyof Told)[]): Told {
  return Object.fromEntries(parts.flatMap((part) => (part in told ? [[part, told[part]]] : [])));
}

const FORGET = `
  with noted as (select * from jsonb_to_recordset($3::jsonb) n (id bigint, was jsonb, kind text, message text)),
  forgotten as (
    update storefront_orders o set told = o.told - $2::text[] from noted n
    where o.id = n.id and o.shop_id = $1
      and n.was = (select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(o.told) where key = any($2::text[])))
  insert into timeline_entries (shop_id, storefront_order_id, kind, message)
  select $1, id, kind, message from noted where kind is not null`;
