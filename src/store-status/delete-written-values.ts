import type { StorefrontOrder } from '../database/entities/orders.ts';
import type { ClearScope } from './clear-scope.ts';
import { readWrittenValues, type WrittenValues } from '../orders/store-view/written-values.ts';

/**
 * Number of orders per request. 50 changes cost half of a request's limit, which leaves the rest of the shop's rate limit for processing
 * orders.
 */
const ORDERS_PER_PAGE = 50;

export type WrittenOrder = Pick<StorefrontOrder, 'id' | 'shopifyOrderId'> & { written: WrittenValues };

/** Finds the shop's next 50 orders with recorded changes that match `isToClear`, an SQL condition on storefront order `o`. */
export async function findWrittenOrders({ app, shop }: ClearScope, isToClear: string): Promise<WrittenOrder[]> {
  const orders: Pick<StorefrontOrder, 'id' | 'shopifyOrderId' | 'written'>[] = await app.db.query(
    `select o.id, o.shopify_order_id as "shopifyOrderId", o.told as written from storefront_orders o
     where o.shop_id = $1 and o.told <> '{}' and ${isToClear} order by o.id limit $2`,
    [shop.id, ORDERS_PER_PAGE],
  );
  return orders.map((order) => ({ ...order, written: readWrittenValues(order) }));
}

/** An entry for an order's timeline. */
export interface Note {
  kind: string;
  message: string;
}

/**
 * Deletes the records of changes that the store no longer shows, so that Platen makes the changes again if the shop returns. A record that
 * has changed since it was read is not deleted. `noteOf` returns an order's timeline entry, or null for no entry.
 */
export async function deleteWrittenValues(
  { app, shop, cleared }: ClearScope,
  orders: readonly WrittenOrder[],
  { parts, noteOf }: { parts: readonly (keyof WrittenValues)[]; noteOf: (order: WrittenOrder) => Note | null },
): Promise<void> {
  const rows = orders.map((order) => ({ id: order.id, was: pickParts(order.written, parts), ...noteOf(order) }));
  await app.db.query(FORGET, [shop.id, parts, JSON.stringify(rows)]);
  for (const { id } of orders) cleared.add(id);
}

function pickParts(written: WrittenValues, parts: readonly (keyof WrittenValues)[]): WrittenValues {
  return Object.fromEntries(parts.flatMap((part) => (part in written ? [[part, written[part]]] : [])));
}

const FORGET = `
  with noted as (select * from jsonb_to_recordset($3::jsonb) n (id bigint, was jsonb, kind text, message text)),
  forgotten as (
    update storefront_orders o set told = o.told - $2::text[] from noted n
    where o.id = n.id and o.shop_id = $1
      and n.was = (select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(o.told) where key = any($2::text[])))
  insert into timeline_entries (shop_id, storefront_order_id, kind, message)
  select $1, id, kind, message from noted where kind is not null`;
