import { In, IsNull } from 'typeorm';
import type { EntityManager } from 'typeorm';
import type { App } from '../app.ts';
import { Holds, OrderLines, StorefrontOrders } from '../database/orders.ts';
import type { StorefrontOrder } from '../database/orders.ts';
import { PrintOrderLines, PrintOrders, ServiceOrders } from '../database/print-orders.ts';
import type { PrintOrder } from '../database/print-orders.ts';
import type { Shop } from '../database/shops.ts';
import { remedyOf } from './hold-codes.ts';
import { toOrderState } from './to-order-state.ts';
import type { StorefrontOrderState } from './to-order-state.ts';

/** One order of a shop with what became of it (contracts page, Commands). */
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
}

const PAGE = 500;

/** All orders of a shop, oldest first, read page by page; each page is read at one moment. */
export async function* listOrders(app: App, shop: Pick<Shop, 'id'>): AsyncGenerator<ListedOrder> {
  let last: StorefrontOrder | undefined;
  do {
    const page = await app.db.transaction('REPEATABLE READ', async (manager) => {
      const orders = await readPage(manager, shop.id, last?.id ?? null);
      return { orders, listed: await describe(manager, orders) };
    });
    yield* page.listed;
    last = page.orders.length === PAGE ? page.orders.at(-1) : undefined;
  } while (last);
}

function readPage(manager: EntityManager, shopId: number, afterId: string | null): Promise<StorefrontOrder[]> {
  const query = manager
    .getRepository(StorefrontOrders)
    .createQueryBuilder('o')
    .where('o.shop_id = :shopId', { shopId })
    // What a webhook named and the store never had is no order.
    .andWhere("not (o.name = '' and o.outcome_reason is not distinct from 'not_found')")
    .orderBy('o.placed_at')
    .addOrderBy('o.shopify_order_id')
    .limit(PAGE);
  // The row is compared in the database: a Date would lose its microseconds.
  if (afterId !== null) {
    const after =
      '(o.placed_at, o.shopify_order_id) > (select a.placed_at, a.shopify_order_id from storefront_orders a where a.id = :afterId)';
    query.andWhere(after, { afterId });
  }
  return query.getMany();
}

async function describe(manager: EntityManager, orders: StorefrontOrder[]): Promise<ListedOrder[]> {
  const storefrontOrderId = In(orders.map(({ id }) => id));
  const lines = groupBy(await manager.findBy(OrderLines, { storefrontOrderId }), (line) => line.storefrontOrderId);
  const openHolds = { where: { storefrontOrderId, resolvedAt: IsNull() }, order: { id: 'ASC' } } as const;
  const holds = groupBy(await manager.find(Holds, openHolds), (hold) => hold.storefrontOrderId);
  const counting = { where: { storefrontOrderId, fencedAt: IsNull() }, order: { part: 'ASC' } } as const;
  const printOrders = await manager.find(PrintOrders, counting);
  const ofOrder = groupBy(printOrders, (printOrder) => printOrder.storefrontOrderId);
  const listPrintOrder = await readPrintOrders(manager, printOrders);
  return orders.map((order) => {
    const facts = { holds: holds(order.id), lines: lines(order.id), printOrders: ofOrder(order.id) };
    return {
      orderId: order.shopifyOrderId,
      name: order.name,
      state: toOrderState({ order, ...facts }),
      holds: facts.holds.map(({ code, field, message }) => ({ code, field, message, remedy: remedyOf(code) })),
      printOrders: facts.printOrders.map(listPrintOrder),
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

/** Looks rows up by their owner's id. */
function groupBy<Row>(rows: Row[], ownerOf: (row: Row) => string): (ownerId: string) => Row[] {
  const groups = Map.groupBy(rows, ownerOf);
  return (ownerId) => groups.get(ownerId) ?? [];
}
