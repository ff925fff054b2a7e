import { fileUrlOf, printedVariants } from './catalog.ts';
import type { Finding } from './finding.ts';
import { holdCodesOf, livingItems, skuOfItem, sumUnits, unitsFulfilled, type OrderBooks } from './order-books.ts';
import type { Units } from './planned-order.ts';
import type { PrintRecord } from './read-books.ts';

type Found = Omit<Finding, 'order'>;

/** The store is read again before something is sent by a reading that is older than 30 s; the effect may be late. */
const READING_MS = 45_000;

/** Whether what is printed for an order is what was ordered: each unit once, from its own file, under one order a reference. */
export function checkPrinted(order: OrderBooks): Found[] {
  return [
    ...findTwins(order),
    ...findWrongItems(order),
    ...compareUnits(order),
    ...findUntold(order),
    ...findSpare(order),
  ];
}

/** References with several live orders that are not parts of one. */
export function findTwins({ live }: Pick<OrderBooks, 'live'>): Found[] {
  const ofReference = Map.groupBy(live, ({ orderReferenceId }) => orderReferenceId);
  return [...ofReference].flatMap(([reference, orders]): Found[] => {
    const separate = groupConnected(orders);
    if (separate.length < 2) return [];
    const evidence = `${reference} has ${separate.length} live orders: ${orders.map(describe).join(', ')}`;
    return [{ kind: 'duplicates', evidence }];
  });
}

/** One list for each order with its connected parts. */
function groupConnected(orders: readonly PrintRecord[]): PrintRecord[][] {
  const groups = Map.groupBy(orders, ({ id, connectedOrderIds }) => [id, ...connectedOrderIds].toSorted()[0] ?? id);
  return [...groups.values()];
}

/** Items that are for no line, of another product than the line's, or printed from another file. */
function findWrongItems({ placed, store, live }: OrderBooks): Found[] {
  const items = livingItems(live).flatMap((item): string[] => {
    const sku = skuOfItem(store, item);
    const variant = printedVariants.find((one) => one.sku === sku);
    if (sku === null) return [`item ${item.itemReferenceId} is no line of the order`];
    if (variant?.productUid !== item.productUid) return [`the line of ${sku} is printed as ${item.productUid}`];
    const fileUrl = fileUrlOf(placed.shop, sku);
    return item.fileUrl === fileUrl ? [] : [`the line of ${sku} is printed from ${item.fileUrl}`];
  });
  const labels = live.flatMap(({ orderReferenceId, metadata }): string[] => {
    const label = (name: string) => metadata.find(({ key }) => key === name)?.value;
    const isLabelled = label('shop') === placed.shop && label('order') === placed.name;
    return isLabelled ? [] : [`${orderReferenceId} is labelled ${label('shop')} ${label('order')}`];
  });
  return [...items, ...labels].map((evidence) => ({ kind: 'wrongLines', evidence }));
}

/** What is printed against what is wanted, SKU by SKU. */
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
    if (count === possible.at(-1) || wasRight || isHeld || placed.change?.kind === 'cancelled') return [];
    return [{ kind: 'wrongLines', evidence: words }];
  });
}

/**
 * Whether an order may have been printed as it was before a change, with no hold left: it was sent about then, and has come to its end,
 * with which the hold that tells of the change ends.
 */
function isSettled({ placed, listed, live }: OrderBooks): boolean {
  const { change } = placed;
  if (change === null || (change.kind !== 'edited' && change.kind !== 'refunded')) return false;
  const sentBefore = change.at.getTime() + READING_MS;
  const isOld = live.every(({ orderedAt, createdAt }) => Date.parse(orderedAt ?? createdAt) <= sentBefore);
  return isOld && (listed?.state === 'fulfilled' || listed?.state === 'nothing_to_do');
}

/** What the order may want printed, the last of them what it wants now. */
function wantsOf({ placed, store }: OrderBooks): Units[] {
  const { wants, change } = placed;
  if (change === null) return [wants];
  if (change.kind !== 'cancellationRequested') return [wants, change.wants];
  // The service's answer decides.
  return isCancellationAccepted(store) ? [wants, {}] : [{}, wants];
}

function isCancellationAccepted(store: OrderBooks['store']): boolean {
  const ours = store?.fulfillmentOrders.filter(({ location }) => location === 'service') ?? [];
  return ours.some(({ requestStatus }) => requestStatus === 'CANCELLATION_ACCEPTED');
}

/** A cancelled order that is printed all the same: somebody must be told, unless it had arrived before. */
function findUntold(order: OrderBooks): Found[] {
  const { store, live, placed } = order;
  const isCancelled = store?.cancelledAt !== null && placed.change?.kind === 'cancelled';
  if (!isCancelled || live.length === 0 || holdCodesOf(order).length > 0) return [];
  const fulfilled = unitsFulfilled(store);
  const isThere = Object.entries(unitsPrinted(order)).every(([sku, quantity]) => (fulfilled[sku] ?? 0) >= quantity);
  if (isThere) return [];
  return [
    { kind: 'wrongLines', evidence: `is cancelled and printed, and nobody is told: ${live.map(describe).join(', ')}` },
  ];
}

/** Drafts that nobody needs: all but the one that waits for a person. */
function findSpare(order: OrderBooks): Found[] {
  const kept = holdCodesOf(order).length > 0 ? (order.listed?.printOrders ?? []) : [];
  const ids = new Set(kept.flatMap(({ serviceOrderIds }) => serviceOrderIds));
  return order.drafts
    .filter(({ id }) => !ids.has(id))
    .map((draft) => ({ kind: 'spareDrafts', evidence: `${describe(draft)} is left` }));
}

/** What the live print orders make, by the lines that it is for. */
function unitsPrinted({ store, live }: OrderBooks): Units {
  return sumUnits(livingItems(live).map((item) => [skuOfItem(store, item) ?? item.productUid, item.quantity]));
}

function describe({ orderReferenceId, id, orderType, fulfillmentStatus, createdAt }: PrintRecord): string {
  const what = orderType === 'draft' ? 'draft' : fulfillmentStatus;
  return `${orderReferenceId} ${id} (${what}, made ${createdAt.slice(11, 19)})`;
}
