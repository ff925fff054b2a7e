import { livingItems } from '../../chaos/books/order-books.ts';
import { liveOrders, SHIPPED, type Books } from './read-books.ts';
import type { Ledger } from './ledger.ts';

/** The units of an order line by state, according to the records of both stand-ins. */
export interface LineUnits {
  id: string;
  sku: string | null;
  /** Units left to fulfill at the location of Platen or of the merchant. */
  open: number;
  /** Units of `open` that can be printed, because no hold, schedule or missing request prevents it. */
  ready: number;
  /** Units that Platen has fulfilled. */
  done: number;
  /** Units that the merchant has fulfilled. */
  byHand: number;
  /** Units that are printed or will be printed. */
  live: number;
  /** Units of `live` that have shipped according to the service's calls. */
  shipped: number;
}

const OPEN = ['OPEN', 'IN_PROGRESS', 'ON_HOLD', 'SCHEDULED', 'INCOMPLETE'];
const READY = ['OPEN', 'IN_PROGRESS'];

export const toNumericId = (id: string): string => id.slice(id.lastIndexOf('/') + 1);

export function countUnits({ store, printed, showsItems }: Books, { byHand }: Pick<Ledger, 'byHand'>): LineUnits[] {
  const live = liveOrders(printed);
  const items = livingItems(live);
  // Events prove nothing, because they are not signed. If no call shows items, only the order's status proves that the items have shipped.
  const known = live.filter(({ fulfillmentStatus }) => showsItems || SHIPPED.includes(fulfillmentStatus));
  const shipped = livingItems(known).filter(({ fulfillmentStatus }) => SHIPPED.includes(fulfillmentStatus));
  return store.lines.map(({ id, sku }) => {
    const isOwn = ({ itemReferenceId }: { itemReferenceId: string }) => itemReferenceId === toNumericId(id);
    const inStates = (statuses: readonly string[]): number =>
      sum(
        store.fulfillmentOrders
          .filter(({ status, location }) => location !== 'other' && statuses.includes(status))
          .flatMap(({ lines }) => lines.filter((line) => line.id === id).map(({ remaining }) => remaining)),
      );
    const fulfilled = (isByHand: boolean): number =>
      sum(
        store.fulfillments
          .filter((one) => byHand.has(one.id) === isByHand)
          .flatMap(({ lines }) => lines.filter((line) => line.id === id).map(({ quantity }) => quantity)),
      );
    return {
      id,
      sku,
      open: inStates(OPEN),
      ready: inStates(READY),
      done: fulfilled(false),
      byHand: fulfilled(true),
      live: sum(items.filter(isOwn).map(({ quantity }) => quantity)),
      shipped: sum(shipped.filter(isOwn).map(({ quantity }) => quantity)),
    };
  });
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
