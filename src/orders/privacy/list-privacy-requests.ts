import { LessThan } from 'typeorm';
import type { App } from '../../app.ts';
import {
  PrivacyRequests,
  type HeldByPrintService,
  type PrivacyRequest,
} from '../../database/entities/privacy-requests.ts';
import type { Shop } from '../../database/entities/shops.ts';

const PAGE = 100;

/** A privacy request as the merchant sees it. */
export interface ListedPrivacyRequest {
  id: string;
  kind: PrivacyRequest['kind'];
  receivedAt: string;
  dueAt: string;
  doneAt: string | null;
  /**
   * The number of orders in the request that Platen knows. `orderIds` contains the Shopify IDs of these orders, and `orderNames` contains
   * their names in the same order.
   */
  orders: number;
  orderIds: string[];
  orderNames: string[];
  /** Orders whose data the print service also stores. The service has no call that erases it, so the merchant must contact the service. */
  heldByPrintService: HeldByPrintService[];
}

/** Lists a page of a shop's requests, newest first. `next` is the `before` value for the next page, or null on the last page. */
export async function listPrivacyRequests(
  app: App,
  shop: Pick<Shop, 'id'>,
  before: string | null = null,
): Promise<{ privacyRequests: ListedPrivacyRequest[]; next: string | null }> {
  const rows = await app.db.manager.find(PrivacyRequests, {
    where: { shopId: shop.id, ...(before === null ? {} : { id: LessThan(before) }) },
    order: { id: 'DESC' },
    take: PAGE,
  });
  const next = rows.length === PAGE ? (rows.at(-1)?.id ?? null) : null;
  const known: { id: string; orderIds: string[]; orderNames: string[] }[] = await app.db.query(
    `select r.id, array_agg(o.shopify_order_id order by o.id) as "orderIds", array_agg(o.name order by o.id) as "orderNames"
     from privacy_requests r join storefront_orders o on o.shop_id = r.shop_id and o.shopify_order_id = any(r.shopify_order_ids)
     where r.id = any($1::bigint[]) group by r.id`,
    [rows.map(({ id }) => id)],
  );
  const orders = new Map(known.map(({ id, ...named }) => [id, named]));
  return { privacyRequests: rows.map((row) => toListed(row, orders.get(row.id))), next };
}

function toListed(
  request: PrivacyRequest,
  { orderIds, orderNames }: Pick<ListedPrivacyRequest, 'orderIds' | 'orderNames'> = { orderIds: [], orderNames: [] },
): ListedPrivacyRequest {
  const { id, kind, receivedAt, dueAt, doneAt, heldByPrintService } = request;
  return {
    id,
    kind,
    receivedAt: receivedAt.toISOString(),
    dueAt: dueAt.toISOString(),
    doneAt: doneAt?.toISOString() ?? null,
    orders: orderIds.length,
    orderIds,
    orderNames,
    heldByPrintService,
  };
}
