import { In, IsNull } from 'typeorm';
import type { EntityManager } from 'typeorm';
import type { App } from '../../app.ts';
import { Holds, OrderLines, StorefrontOrders } from '../../database/entities/orders.ts';
import type { StorefrontOrder } from '../../database/entities/orders.ts';
import { PrintOrderLines, PrintOrders, ServiceOrders } from '../../database/entities/print-orders.ts';
import type { PrintOrder } from '../../database/entities/print-orders.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { remedyOf } from '../facts/hold-codes.ts';
import { toOrderState } from '../facts/to-order-state.ts';
import type { StorefrontOrderState } from '../facts/to-order-state.ts';
import { readWaits, type OrderWait } from '../waits/read-waits.ts';

/** One of a shop's orders with its state (docs/contracts.md#orders-as-json). */
export interface ListedOrder {
  orderId: string;
  name: string;
  state: StorefrontOrderState;
  holds: { code: string; field: string | null; message: string; remedy: string }[];
  printOrders: {
    reference: string;
    state: PrintOrder['state'];
    serviceOrderIds: string[];
    lines: { sku: string | null; quantity: number }[];
  }[];
  /** Unfinished parts: why they wait, and when Platen acts next. */
  waits: OrderWait[];
}

const PAGE = 500;
/** The number of orders on a page, and the most orders that are searched for a page of one state. */
const PAGE_SHOWN = 50;
const MOST_LOOKED_AT = 1000;

/** A page of a shop's orders. */
export interface ListedOrdersPage {
  orders: ListedOrder[];
  /** The `after` for the next page; null: this is the last page. */
  next: string | null;
}

/**
 * Lists a page of a shop's orders, newest first: all orders, or those in one state. Searches at most 1,000 orders per page, so a page for a
 * rare state may be short although another page follows.
 */
export async function listOrdersPage(
  app: App,
  { id: shopId }: Pick<Shop, 'id'>,
  { state, after }: { state: StorefrontOrderState | null; after: string | null },
): Promise<ListedOrdersPage> {
  return app.db.transaction('REPEATABLE READ', async (manager) => {
    const orders: ListedOrder[] = [];
    let last = after;
    for (let looked = 0; looked < MOST_LOOKED_AT; looked += PAGE_SHOWN) {
      const query = manager
        .getRepository(StorefrontOrders)
        .createQueryBuilder('o')
        .where("o.shop_id = :shopId and not (o.name = '' and o.outcome_reason is not distinct from 'not_found')", {
          shopId,
        })
        .orderBy('o.id', 'DESC')
        .limit(PAGE_SHOWN);
      if (last !== null) query.andWhere('o.id < :last::numeric', { last });
      const page = await query.getMany();
      const listed = await describe(app, manager, page);
      for (const [index, order] of listed.entries()) {
        last = page[index]?.id ?? last;
        if (state === null || order.state === state) orders.push(order);
        if (orders.length === PAGE_SHOWN && index < page.length - 1) return { orders, next: last };
      }
      if (page.length < PAGE_SHOWN) return { orders, next: null };
      if (orders.length >= PAGE_SHOWN) break;
    }
    return { orders, next: last };
  });
}

const HELD = `(exists (select from holds h where h.storefront_order_id = o.id and h.resolved_at is null) or exists (select from print_orders p
  where p.storefront_order_id = o.id and p.fenced_at is null and p.state = 'held' and p.print_again_at is null))`;

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
      return { orders, listed: await describe(app, manager, orders) };
    });
    yield* page.listed;
    last = page.orders.length === PAGE ? page.orders.at(-1) : undefined;
  } while (last);
}

function readPage(
  manager: EntityManager,
  shopId: number,
  { afterId, isHeld }: { afterId: string | null; isHeld: boolean },
): Promise<StorefrontOrder[]> {
  const query = manager
    .getRepository(StorefrontOrders)
    .createQueryBuilder('o')
    .where('o.shop_id = :shopId', { shopId })
    // Leaves out orders that a webhook named but that the store never had.
    .andWhere("not (o.name = '' and o.outcome_reason is not distinct from 'not_found')")
    .orderBy('o.placed_at')
    .addOrderBy('o.shopify_order_id')
    .limit(PAGE);
  if (isHeld) query.andWhere(HELD);
  // The database compares the times, because a JavaScript Date would lose microseconds.
  if (afterId !== null) {
    const after =
      '(o.placed_at, o.shopify_order_id) > (select a.placed_at, a.shopify_order_id from storefront_orders a where a.id = :afterId)';
    query.andWhere(after, { afterId });
  }
  return query.getMany();
}

async function describe(app: App, manager: EntityManager, orders: StorefrontOrder[]): Promise<ListedOrder[]> {
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
      state: toOrderState({ order, ...facts }),
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
