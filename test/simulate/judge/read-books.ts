import { NotFoundError } from '../../../src/errors.ts';
import { findOrder } from '../../../src/orders/manual-actions/find-order.ts';
import { showOrder, type ShownStorefrontOrder } from '../../../src/orders/manual-actions/show-order.ts';
import type { PrintRecord as ChaosRecord, StoreRecord } from '../../chaos/books/read-books.ts';
import type { Scene } from '../scene.ts';

/** An order or draft in the print stand-in's records. */
export type PrintRecord = ChaosRecord;

/** The order in the store stand-in's records. */
export type StoreView = Omit<StoreRecord, 'fulfillments'> & {
  fulfillments: (Omit<StoreRecord['fulfillments'][number], 'lines'> & {
    lines: { id: string; sku: string | null; quantity: number }[];
  })[];
};

/** All data about the order at one moment. */
export interface Books {
  /** Milliseconds since 1970. */
  at: number;
  store: StoreView;
  /** All orders and drafts ever created at the print service for this order. */
  printed: PrintRecord[];
  /** Whether the service's calls show items and packages. If not, they show only the order's status. */
  showsItems: boolean;
  /** The order as Platen shows it, or null if the order is unknown to Platen. */
  shown: ShownStorefrontOrder | null;
}

export const SHIPPED = ['shipped', 'in_transit', 'delivered', 'returned'];
const ENDED = ['canceled', 'failed'];

type ControlOrder = Omit<StoreRecord, 'fulfillments'> & {
  fulfillments: (StoreRecord['fulfillments'][number] & { lineItemIds: string[] })[];
};

export async function readStore({ platen, order }: Scene): Promise<StoreView> {
  const shown = (await platen.control('store', 'GET', `/orders/${encodeURIComponent(order.id)}`)) as ControlOrder;
  const fulfillments = shown.fulfillments.map(({ lineItemIds, lines, ...rest }) => ({
    ...rest,
    lines: lines.map((line, index) => ({ ...line, id: lineItemIds[index] ?? '' })),
  }));
  return { ...shown, fulfillments };
}

export async function readPrinted({ platen, owns }: Pick<Scene, 'platen' | 'owns'>): Promise<PrintRecord[]> {
  const all = (await platen.control('print', 'GET', '/orders')) as PrintRecord[];
  return all.filter(owns);
}

/** Returns the print orders that are printed or will be printed. */
export function liveOrders(printed: readonly PrintRecord[]): PrintRecord[] {
  return printed.filter(
    ({ orderType, deleted, fulfillmentStatus }) =>
      orderType === 'order' && deleted !== true && !ENDED.includes(fulfillmentStatus),
  );
}

export async function readBooks(scene: Scene): Promise<Books> {
  const { platen, order, showsItems } = scene;
  const { app, shop } = platen;
  const shown = await findOrder(app, shop, order.id).then(
    (found) => showOrder(app, found),
    (error: unknown) => {
      if (error instanceof NotFoundError) return null;
      throw error;
    },
  );
  return {
    at: platen.app.clock.now().getTime(),
    store: await readStore(scene),
    printed: await readPrinted(scene),
    showsItems,
    shown,
  };
}
