import { fileUrlOf, printedVariants } from '../orders/catalog.ts';
import type { Finding } from './finding.ts';
import { holdCodesOf, livingItems, skuOfItem, sumUnits, unitsFulfilled, type OrderBooks } from './order-books.ts';
import type { Units } from '../orders/planned-order.ts';
import type { PrintRecord } from './read-books.ts';

type Found = Omit<Finding, 'order'>;

/**
 * If Platen's last reading of an order is older than 30 s, Platen reads the order from the store again before sending it. The request that
 * sends the order may also take effect late.
 */
const READING_MS = 45_000;

/** Checks that each ordered unit is printed once and from its own file, and that each reference has one order. */
export function checkPrinted(order: OrderBooks): Found[] {
  return [
    ...findDuplicateOrders(order),
    ...findWrongItems(order),
    ...compareUnits(order),
    ...findUnreported(order),
    ...findSpare(order),
  ];
}

/** Finds references with several live orders that are not connected parts of one order. */
export function findDuplicateOrders({ live }: Pick<OrderBooks, 'live'>): Found[] {
  const ofReference = Map.groupBy(live, ({ orderReferenceId }) => orderReferenceId);
  return [...ofReference].flatMap(([reference, orders]): Found[] => {
    const separate = groupConnected(orders);
    if (separate.length < 2) return [];
    const evidence = `${reference} has ${separate.length} live orders: ${orders.map(describe).join(', ')}`;
    return [{ kind: 'duplicates', evidence }];
  });
}

/** Groups orders with their connected parts, so that each group represents one order. */
function groupConnected(orders: readonly PrintRecord[]): PrintRecord[][] {
  const groups = Map.groupBy(orders, ({ id, connectedOrderIds }) => [id, ...connectedOrderIds].toSorted()[0] ?? id);
  return [...groups.values()];
}

/** Finds items that belong to no line, or whose product or file differs from the line's product or file. */
function findWrongItems({ placed, store, live }: OrderBooks): Found[] {
  const items = livingItems(live).flatMap((item): string[] => {
    const sku = skuOfItem(store, item);
    const variant = printedVariants.find((one) => one.sku === sku);
    if (sku === null) return [`item ${item.itemReferenceId} belongs to no line of the order`];
    if (variant?.productUid !== item.productUid) return [`the line of ${sku} is printed as ${item.productUid}`];
    const fileUrl = fileUrlOf(placed.shop, sku);
    return item.fileUrl === fileUrl ? [] : [`the line of ${sku} is printed from ${item.fileUrl}`];
  });
  const labels = live.flatMap(({ orderReferenceId, metadata }): string[] => {
    const label = (name: string) => metadata.find(({ key }) => key === name)?.value;
    const isLabeled = label('shop') === placed.shop && label('order') === placed.name;
    return isLabeled ? [] : [`${orderReferenceId} is labeled ${label('shop')} ${label('order')}`];
  });
  return [...items, ...labels].map((evidence) => ({ kind: 'wrongLines', evidence }));
}

/** Compares the printed and wanted units of each SKU. */
function compareUnits(order: OrderBooks): Found[] {
  const { placed, store, live, listed } = order;
  const printed = unitsPrinted(order);
  const wants = wantsOf(order);
  const fulfilled = unitsFulfilled(store);
  const isHeld = holdCodesOf(order).length > 0;
  const skus = [...new Set([...Object.keys(printed), ...wants.flatMap(Object.keys)])].toSorted();
  const wanted = Object.values(wants.at(-1) ?? {}).some((quantity) => quantity > 0);
  if (wanted && live.length === 0) {
    return isHeld ? [] : [{ kind: 'lost', evidence: `nothing is printed; the app says ${listed?.state ?? 'nothing'}` }];
  }
  return skus.flatMap((sku): Found[] => {
    const count = printed[sku] ?? 0;
    const possible = wants.map((units) => units[sku] ?? 0);
    const words = `${count} of ${sku} printed, ${[...new Set(possible)].join(' or ')} ordered: ${live.map(describe).join(', ')}`;
    const references = live.filter(({ items }) => items.some((item) => skuOfItem(store, item) === sku));
    if (count > Math.max(...possible)) {
      const isTwice = new Set(references.map(({ orderReferenceId }) => orderReferenceId)).size > 1;
      return [{ kind: isTwice ? 'duplicates' : 'wrongLines', evidence: words }];
    }
    const wasRight = possible.includes(count) && (fulfilled[sku] === count || isSettled(order));
    if (count === possible.at(-1) || wasRight || isHeld || placed.change?.kind === 'canceled') return [];
    return [{ kind: 'wrongLines', evidence: words }];
  });
}

/**
 * Returns whether the printed units may lack a change although no hold is open: the order was sent before the change or shortly afterward,
 * and the order has ended. The hold that reported the change ended with the order.
 */
function isSettled({ placed, listed, live }: OrderBooks): boolean {
  const { change } = placed;
  if (change === null || (change.kind !== 'edited' && change.kind !== 'refunded')) return false;
  const sentBefore = change.at.getTime() + READING_MS;
  const isOld = live.every(({ orderedAt, createdAt }) => Date.parse(orderedAt ?? createdAt) <= sentBefore);
  return isOld && (listed?.state === 'fulfilled' || listed?.state === 'nothing_to_do');
}

/** Returns the units of the order that may have to be printed, before and after its change. The last entry is the current one. */
function wantsOf({ placed, store }: OrderBooks): Units[] {
  const { wants, change } = placed;
  if (change === null) return [wants];
  if (change.kind !== 'cancellationRequested') return [wants, change.wants];
  // Whether the service accepted the cancellation determines which of the two entries is last.
  return isCancellationAccepted(store) ? [wants, {}] : [{}, wants];
}

function isCancellationAccepted(store: OrderBooks['store']): boolean {
  const ours = store?.fulfillmentOrders.filter(({ location }) => location === 'service') ?? [];
  return ours.some(({ requestStatus }) => requestStatus === 'CANCELLATION_ACCEPTED');
}

/**
 * Finds a canceled order that is printed although no hold reports this. An order that was fulfilled before its cancellation needs no hold.
 */
function findUnreported(order: OrderBooks): Found[] {
  const { store, live, placed } = order;
  const isCanceled = store?.cancelledAt !== null && placed.change?.kind === 'canceled';
  if (!isCanceled || live.length === 0 || holdCodesOf(order).length > 0) return [];
  const fulfilled = unitsFulfilled(store);
  const isThere = Object.entries(unitsPrinted(order)).every(([sku, quantity]) => (fulfilled[sku] ?? 0) >= quantity);
  if (isThere) return [];
  return [
    {
      kind: 'wrongLines',
      evidence: `is canceled but printed, and no hold reports it: ${live.map(describe).join(', ')}`,
    },
  ];
}

/** Finds spare drafts: all drafts except those of a held order. */
function findSpare(order: OrderBooks): Found[] {
  const kept = holdCodesOf(order).length > 0 ? (order.listed?.printOrders ?? []) : [];
  const ids = new Set(kept.flatMap(({ serviceOrderIds }) => serviceOrderIds));
  return order.drafts
    .filter(({ id }) => !ids.has(id))
    .map((draft) => ({ kind: 'spareDrafts', evidence: `${describe(draft)} was not deleted` }));
}

/** Counts the units in the live print orders, by the SKU of their line. */
function unitsPrinted({ store, live }: OrderBooks): Units {
  return sumUnits(livingItems(live).map((item) => [skuOfItem(store, item) ?? item.productUid, item.quantity]));
}

function describe({ orderReferenceId, id, orderType, fulfillmentStatus, createdAt }: PrintRecord): string {
  const what = orderType === 'draft' ? 'draft' : fulfillmentStatus;
  return `${orderReferenceId} ${id} (${what}, made ${createdAt.slice(11, 19)})`;
}
