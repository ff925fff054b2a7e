import { In, IsNull } from 'typeorm';
import type { EntityManager } from 'typeorm';
import type { App } from '../../app.ts';
import { Holds, OrderLines, StorefrontOrders } from '../../database/entities/orders.ts';
import type { StorefrontOrder } from '../../database/entities/orders.ts';
import { PrintOrderLines, PrintOrders, ServiceOrders } from '../../database/entities/print-orders.ts';
import type { PrintOrder } from '../../database/entities/print-orders.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { remedyOf } from '../facts/hold-codes.ts';
import { IS_ORDER_HELD, IS_ORDER_IN_STORE, ORDER_LABEL } from './order-state-sql.ts';
import { toOrderLabel, toOrderState } from '../facts/to-order-state.ts';
import type { OrderLabel, StorefrontOrderState } from '../facts/to-order-state.ts';
import { readWaits, type OrderWait } from '../waits/read-waits.ts';

/** One of a shop's orders with its state (docs/contracts.md#orders-as-json). */
export interface ListedOrder {
  orderId: string;
  name: string;
  /** ISO 8601. */
  placedAt: string;
  state: StorefrontOrderState;
  /** What the merchant reads for the state. */
  label: OrderLabel;
  holds: { code: string; field: string | null; message: string; remedy: string }[];
  printOrders: {
    reference: string;
    state: PrintOrder['state'];
    serviceOrderIds: string[];
    lines: { sku: string | null; quantity: number }[];
  }[];
  /** The reason why each unfinished part is waiting, and when Platen acts next. */
  waits: OrderWait[];
}

const PAGE = 500;
/** The number of orders on a page. */
const PAGE_SHOWN = 50;

/** A page of a shop's orders. */
export interface ListedOrdersPage {
  orders: ListedOrder[];
  /** The `after` value for the next page, or null on the last page. */
  next: string | null;
}

/** The orders that a page lists. A filter that is null does not apply. */
export interface OrdersFilter {
  /** What the merchant reads for the state. `held` also finds canceled orders that are on hold. */
  state: OrderLabel | null;
  /** The code of an open hold. */
  hold: string | null;
  /** Part of the order's name, its ID in the store or a SKU. */
  search: string | null;
  placedSince: Date | null;
  placedUntil: Date | null;
  /** Whether the oldest order comes first. */
  isOldestFirst: boolean;
}

const ALL: OrdersFilter = {
  state: null,
  hold: null,
  search: null,
  placedSince: null,
  placedUntil: null,
  isOldestFirst: false,
};

/** Lists a page of a shop's orders, newest first unless the filter requests another order. `after` is the previous page's `next`. */
export async function listOrdersPage(
  app: App,
  { id: shopId }: Pick<Shop, 'id'>,
  { after, ...wanted }: Partial<OrdersFilter> & { after: string | null },
): Promise<ListedOrdersPage> {
  const filter = { ...ALL, ...wanted };
  return app.db.transaction('REPEATABLE READ', async (manager) => {
    const found: { id: string }[] = await manager.query(toPageQuery(filter), [
      shopId,
      after,
      filter.state,
      filter.hold,
      filter.search?.trim().replaceAll(/[\\%_]/g, String.raw`\$&`) ?? null,
      filter.placedSince,
      filter.placedUntil,
      PAGE_SHOWN + 1,
    ]);
    const shown = found.slice(0, PAGE_SHOWN);
    const orders = await toListedOrders(app, manager, await readOrders(manager, shown));
    return { orders, next: found.length > PAGE_SHOWN ? (shown.at(-1)?.id ?? null) : null };
  });
}

function toPageQuery({ state, isOldestFirst }: OrdersFilter): string {
  const [beyond, direction] = isOldestFirst ? ['>', 'asc'] : ['<', 'desc'];
  // Held orders are found without computing the state of every other order. They include canceled orders, which may also need the
  // merchant's attention.
  const isByState = state !== null && state !== 'held';
  const inState = isByState ? 's.label = $3' : IS_ORDER_HELD;
  return `select o.id from storefront_orders o ${isByState ? ORDER_LABEL : ''}
    where o.shop_id = $1 and ${IS_ORDER_IN_STORE} and ($2::numeric is null or (o.placed_at, o.id) ${beyond} (
        select a.placed_at, a.id from storefront_orders a where a.shop_id = $1 and a.id = least($2::numeric, 9223372036854775807)::bigint))
      and ($3::text is null or ${inState})
      and ($4::text is null or exists (select from holds h where h.storefront_order_id = o.id and h.resolved_at is null and h.code = $4))
      and ($5::text is null or o.name ilike '%' || $5 || '%' or o.shopify_order_id = 'gid://shopify/Order/' || $5
        or exists (select from order_lines w where w.storefront_order_id = o.id and w.sku ilike '%' || $5 || '%'))
      and ($6::timestamptz is null or o.placed_at >= $6) and ($7::timestamptz is null or o.placed_at < $7)
    order by o.placed_at ${direction}, o.id ${direction} limit $8`;
}

/** Lists all of a shop's orders, or only the held ones, oldest first. Each page of the result is a consistent snapshot. */
export async function* listOrders(
  app: App,
  shop: Pick<Shop, 'id'>,
  { isHeld = false }: { isHeld?: boolean } = {},
): AsyncGenerator<ListedOrder> {
  let last: StorefrontOrder | undefined;
  do {
    const page = await app.db.transaction('REPEATABLE READ', async (manager) => {
      const orders = await readPage(manager, shop.id, { afterId: last?.id ?? null, isHeld });
      return { orders, listed: await toListedOrders(app, manager, orders) };
    });
    yield* page.listed;
    last = page.orders.length === PAGE ? page.orders.at(-1) : undefined;
  } while (last);
}

async function readPage(
  manager: EntityManager,
  shopId: number,
  { afterId, isHeld }: { afterId: string | null; isHeld: boolean },
): Promise<StorefrontOrder[]> {
  // The database compares the times, because a JavaScript Date would lose microseconds.
  const found: { id: string }[] = await manager.query(
    `select o.id from storefront_orders o
     where o.shop_id = $1 and ${IS_ORDER_IN_STORE} ${isHeld ? `and ${IS_ORDER_HELD}` : ''}
     and ($2::bigint is null or (o.placed_at, o.shopify_order_id) > (
       select a.placed_at, a.shopify_order_id from storefront_orders a where a.id = $2))
     order by o.placed_at, o.shopify_order_id limit ${PAGE}`,
    [shopId, afterId],
  );
  return readOrders(manager, found);
}

/** Reads orders in the given sequence. */
async function readOrders(manager: EntityManager, listed: readonly { id: string }[]): Promise<StorefrontOrder[]> {
  const rows = await manager.findBy(StorefrontOrders, { id: In(listed.map(({ id }) => id)) });
  const byId = new Map(rows.map((row) => [row.id, row]));
  return listed.flatMap(({ id }) => byId.get(id) ?? []);
}

async function toListedOrders(app: App, manager: EntityManager, orders: StorefrontOrder[]): Promise<ListedOrder[]> {
  const storefrontOrderId = In(orders.map(({ id }) => id));
  const lines = groupBy(await manager.findBy(OrderLines, { storefrontOrderId }), (line) => line.storefrontOrderId);
  const openHolds = { where: { storefrontOrderId, resolvedAt: IsNull() }, order: { id: 'ASC' } } as const;
  const holds = groupBy(await manager.find(Holds, openHolds), (hold) => hold.storefrontOrderId);
  const counting = { where: { storefrontOrderId, fencedAt: IsNull() }, order: { part: 'ASC' } } as const;
  const printOrders = await manager.find(PrintOrders, counting);
  const ofOrder = groupBy(printOrders, (printOrder) => printOrder.storefrontOrderId);
  const listPrintOrder = await readPrintOrders(manager, printOrders);
  const waits = await readWaits(
    app,
    manager,
    orders.map(({ id }) => id),
  );
  return orders.map((order) => {
    const facts = { holds: holds(order.id), lines: lines(order.id), printOrders: ofOrder(order.id) };
    return {
      orderId: order.shopifyOrderId,
      name: order.name,
      placedAt: order.placedAt.toISOString(),
      state: toOrderState({ order, ...facts }),
      label: toOrderLabel({ order, ...facts }),
      holds: facts.holds.map(({ code, field, message }) => ({ code, field, message, remedy: remedyOf(code) })),
      printOrders: facts.printOrders.map(listPrintOrder),
      waits: waits.get(order.id) ?? [],
    };
  });
}

async function readPrintOrders(manager: EntityManager, printOrders: PrintOrder[]) {
  const printOrderId = In(printOrders.map(({ id }) => id));
  const byId = { order: { id: 'ASC' } } as const;
  const lines = groupBy(
    await manager.find(PrintOrderLines, { where: { printOrderId }, ...byId }),
    (line) => line.printOrderId,
  );
  const live = { printOrderId, role: In(['chosen', 'part'] as const), deletedAt: IsNull() };
  const serviceOrders = groupBy(
    await manager.find(ServiceOrders, { where: live, ...byId }),
    (serviceOrder) => serviceOrder.printOrderId,
  );
  return ({ id, reference, state }: PrintOrder): ListedOrder['printOrders'][number] => ({
    reference,
    state,
    serviceOrderIds: serviceOrders(id).map(({ serviceOrderId }) => serviceOrderId),
    lines: lines(id).map(({ sku, quantity }) => ({ sku, quantity })),
  });
}

function groupBy<Row>(rows: Row[], ownerOf: (row: Row) => string): (ownerId: string) => Row[] {
  const groups = Map.groupBy(rows, ownerOf);
  return (ownerId) => groups.get(ownerId) ?? [];
}
