import type { ListedOrder } from '../../../src/orders/lists/list-orders.ts';
import type { Stage } from '../stage/stage.ts';

/** An order or draft in the print stand-in's books. */
export interface PrintRecord {
  id: string;
  orderReferenceId: string;
  orderType: string;
  fulfillmentStatus: string;
  createdAt: string;
  orderedAt: string | null;
  connectedOrderIds: string[];
  items: {
    id: string;
    itemReferenceId: string;
    productUid: string;
    fileUrl: string | null;
    quantity: number;
    fulfillmentStatus: string;
  }[];
  metadata: { key: string; value: string }[];
  shippingAddress: { lastName: string };
  shipment: { packages: { orderItemIds: string[]; trackingCode: string }[] };
  deleted?: boolean;
}

/** An order in the store stand-in's books. */
export interface StoreRecord {
  id: string;
  name: string;
  shop: string;
  lines: { id: string; sku: string | null; quantity: number }[];
  fulfillments: {
    id: string;
    lines: { sku: string | null; quantity: number }[];
    trackingCodes: string[];
    notifications: number;
  }[];
  fulfillmentOrders: {
    id: string;
    status: string;
    requestStatus: string;
    location: string;
    lines: { id: string; remaining: number }[];
    holds?: readonly { handle: string | null }[];
  }[];
  cancelledAt: string | null;
}

/** The books (all records) of both stand-ins, and the app's list of its orders. The list is used only for holds and orders in progress. */
export interface Books {
  print: PrintRecord[];
  store: StoreRecord[];
  /** The orders, keyed by the store's order ID. */
  listed: ReadonlyMap<string, ListedOrder>;
}

/** Reads the books of both stand-ins and `platen orders list` of every shop. */
export async function readBooks(stage: Stage, shops: readonly string[]): Promise<Books> {
  const listed = new Map<string, ListedOrder>();
  // The commands run one after another, because the replicas need the CPU more.
  for (const shop of shops) {
    const orders = JSON.parse(await stage.platen(['orders', 'list', '--shop', shop, '--json'])) as ListedOrder[];
    for (const order of orders) listed.set(order.orderId, order);
  }
  return { ...(await readStandIns(stage)), listed };
}

/** Reads only the books of both stand-ins. */
export async function readStandIns(stage: Stage): Promise<Omit<Books, 'listed'>> {
  const print = (await stage.control('print', 'GET', '/orders')) as PrintRecord[];
  const store = (await stage.control('store', 'GET', '/orders')) as StoreRecord[];
  return { print, store };
}
