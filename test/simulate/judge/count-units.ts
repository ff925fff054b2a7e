import { livingItems } from '../../chaos/books/order-books.ts';
import { computeItemReference } from '../../../src/orders/facts/compute-reference.ts';
import { liveOrders, SHIPPED, type Books } from './read-books.ts';
import type { Ledger } from './ledger.ts';

/** The units of an order line by state, according to the records of both stand-ins. */
export interface LineUnits {
  id: string;
  sku: string | null;
  /** Units left to fulfill at the location of Platen or of the merchant. */
  open: number;
  /** Units of `open` that can be printed: no schedule, missing request or hold prevents it, except perhaps Platen's own hold. */
  ready: number;
  /** Units of `open` that someone else holds in the store. */
  onHold: number;
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

/** Platen holds an order in the store while its outcome is unknown, for example. The store then still wants its units. */
function isHeldOnlyByPlaten(holds: readonly { handle: string | null }[] = []): boolean {
  return holds.length > 0 && holds.every(({ handle }) => handle === 'platen');
}

export const toNumericId = (id: string): string => id.slice(id.lastIndexOf('/') + 1);

export function countUnits(
  { store, printed, showsItems }: Books,
  { byHand, closed }: Pick<Ledger, 'byHand' | 'closed'>,
): LineUnits[] {
  const live = liveOrders(printed);
  const items = livingItems(live);
  // Events prove nothing, because they are not signed. If no call shows items, only the order's status proves that the items have shipped.
  const known = live.filter(({ fulfillmentStatus }) => showsItems || SHIPPED.includes(fulfillmentStatus));
  const shipped = livingItems(known).filter(({ fulfillmentStatus }) => SHIPPED.includes(fulfillmentStatus));
  return store.lines.map(({ id, sku }) => {
    const references = [computeItemReference(id, 'current'), computeItemReference(id, 'v1')];
    const isOwn = ({ itemReferenceId }: { itemReferenceId: string }) => references.includes(itemReferenceId);
    const unitsOf = (isCounted: (one: Books['store']['fulfillmentOrders'][number]) => boolean): number =>
      sum(
        store.fulfillmentOrders
          .filter((one) => one.location !== 'other' && isCounted(one))
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
      open: unitsOf(({ status }) => OPEN.includes(status) && !(closed && status === 'INCOMPLETE')),
      onHold: unitsOf(({ status, holds }) => status === 'ON_HOLD' && !isHeldOnlyByPlaten(holds)),
      ready: unitsOf(({ status, holds }) => READY.includes(status) || isHeldOnlyByPlaten(holds)),
      done: fulfilled(false),
      byHand: fulfilled(true),
      live: sum(items.filter(isOwn).map(({ quantity }) => quantity)),
      shipped: sum(shipped.filter(isOwn).map(({ quantity }) => quantity)),
    };
  });
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
