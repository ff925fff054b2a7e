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
  /** How many of the named orders Platen knows. `orderIds` are their Shopify IDs. */
  orders: number;
  orderIds: string[];
  /** Orders for which the print service stores a copy. The service offers no way to erase it, so the merchant must request the erasure. */
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
  const known: { id: string; order_ids: string[] }[] = await app.db.query(
    `select r.id, array_agg(o.shopify_order_id order by o.id) as order_ids
     from privacy_requests r join storefront_orders o on o.shop_id = r.shop_id and o.shopify_order_id = any(r.shopify_order_ids)
     where r.id = any($1::bigint[]) group by r.id`,
    [rows.map(({ id }) => id)],
  );
  const orderIds = new Map(known.map((one) => [one.id, one.order_ids]));
  return { privacyRequests: rows.map((row) => toListed(row, orderIds.get(row.id) ?? [])), next };
}

function toListed(request: PrivacyRequest, orderIds: string[]): ListedPrivacyRequest {
  const { id, kind, receivedAt, dueAt, doneAt, heldByPrintService } = request;
  return {
    id,
    kind,
    receivedAt: receivedAt.toISOString(),
    dueAt: dueAt.toISOString(),
    doneAt: doneAt?.toISOString() ?? null,
    orders: orderIds.length,
    orderIds,
    heldByPrintService,
  };
}
