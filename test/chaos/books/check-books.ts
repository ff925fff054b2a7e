import { checkPrinted } from './check-printed.ts';
import { checkTracking } from './check-tracking.ts';
import { byOrder, holdCodesOf, type OrderBooks } from './order-books.ts';
import type { PlacedOrder } from '../orders/planned-order.ts';
import type { Books } from './read-books.ts';
import type { Finding } from './finding.ts';

/** The result of checking the books of a run, with the counts of its summary (docs/contracts.md, "Commands"). */
export interface Findings extends Record<Finding['kind'], number> {
  /** Orders whose units have all been printed and that have exactly one print order for each reference. */
  printed: number;
  /** Held orders whose hold was neither planned by the run nor caused by the restore. */
  held: number;
  /** The held orders that were submitted by draft. */
  heldOnDraftWay: number;
  heldByRestore: number;
  findings: Finding[];
  /** The holds, including planned ones, with one line for each hold. */
  holds: string[];
}

/** At `restoredAt`, the database was restored to its state at `backedUpAt`. Both are milliseconds since 1970. */
interface Restored {
  backedUpAt: number;
  restoredAt: number;
}

/** The buyer's last name on orders that are placed before the run and are not checked. */
export const CONTROL_BUYER = 'Control';

/** Codes of holds that report a change that came too late. */
const LATE_CHANGE_HOLDS = ['changed_after_submit', 'cannot_cancel'];

/** Allowance for rounding, because the books record whole seconds. */
const ROUNDING_MS = 1_500;
/** How long the effects of a change may continue after the change. */
const EFFECT_MS = 30_000;

/** Compares the books of both stand-ins with the orders that the run placed and changed. */
export function checkBooks(books: Books, placed: readonly PlacedOrder[], restored: Restored | null): Findings {
  const orders = byOrder(books, placed);
  const strangers = findUnknownBuyers(books, placed);
  const checked = orders.map((order) => ({
    order,
    found: [...checkPrinted(order), ...checkTracking(order)].map((one): Finding => ({ ...one, order: nameOf(order) })),
    hold: judgeHold(order, restored),
  }));
  const findings = [...strangers, ...checked.flatMap(({ found }) => found)];
  const count = (kind: Finding['kind']) => findings.filter((one) => one.kind === kind).length;
  const held = checked.filter(({ hold }) => hold === 'unplanned');
  return {
    duplicates: count('duplicates'),
    lost: count('lost'),
    wrongLines: count('wrongLines'),
    wrongTracking: count('wrongTracking'),
    doubledFulfillments: count('doubledFulfillments'),
    doubleNotifications: count('doubleNotifications'),
    spareDrafts: count('spareDrafts'),
    printed: checked.filter(({ order, found, hold }) => hold === null && found.length === 0 && order.live.length > 0)
      .length,
    held: held.length,
    heldOnDraftWay: held.filter(({ order }) => order.placed.submit === 'draft').length,
    heldByRestore: checked.filter(({ hold }) => hold === 'restore').length,
    findings,
    holds: checked.flatMap(({ order, hold }) => (hold === null ? [] : [describeHold(order, hold)])),
  };
}

/** Finds print orders and drafts for buyers that the run does not know. */
function findUnknownBuyers({ print }: Books, placed: readonly PlacedOrder[]): Finding[] {
  const buyers = new Set([CONTROL_BUYER, ...placed.map(({ buyer }) => buyer)]);
  return print
    .filter(({ deleted, shippingAddress }) => deleted !== true && !buyers.has(shippingAddress.lastName))
    .map(({ id, orderReferenceId, orderType }) => ({
      kind: orderType === 'draft' ? 'spareDrafts' : 'duplicates',
      order: 'not an order of this run',
      evidence: `${orderReferenceId} ${id}`,
    }));
}

type Hold = 'planned' | 'restore' | 'unplanned';

/** Returns why an order is held, or null if it is not held. */
function judgeHold(order: OrderBooks, restored: Restored | null): Hold | null {
  const codes = holdCodesOf(order);
  if (codes.length === 0) return null;
  if (order.placed.change !== null && codes.every((code) => LATE_CHANGE_HOLDS.includes(code))) return 'planned';
  return restored !== null && isTouched(order, restored) ? 'restore' : 'unplanned';
}

/**
 * Returns whether the restored database lacks data about the order, because the order or one of its print orders changed between backup
 * and restore.
 */
function isTouched({ placed, made }: OrderBooks, { backedUpAt, restoredAt }: Restored): boolean {
  const within = (moment: number, sinceMs: number) =>
    moment >= backedUpAt - sinceMs && moment <= restoredAt + ROUNDING_MS;
  const moments = [
    placed.placedAt.getTime(),
    ...made.flatMap(({ createdAt, orderedAt }) => [createdAt, orderedAt ?? createdAt].map((at) => Date.parse(at))),
  ];
  const isChanged = placed.change !== null && within(placed.change.at.getTime(), EFFECT_MS);
  return isChanged || moments.some((moment) => within(moment, ROUNDING_MS));
}

function nameOf({ placed }: OrderBooks): string {
  return `${placed.shop.replace('.myshopify.com', '')} ${placed.name}`;
}

function describeHold(order: OrderBooks, hold: Hold): string {
  const { placed, listed, made } = order;
  const why = { planned: 'as planned', restore: 'by the restore', unplanned: 'unplanned' }[hold];
  const change = placed.change === null ? '' : ` after it was ${placed.change.kind}`;
  const holds = (listed?.holds ?? []).map(({ code, message }) => `${code}: ${message}`).join(' ');
  return `${nameOf(order)} (${placed.submit}) held ${why}${change}: ${holds} [${made.map(({ orderReferenceId, id }) => `${orderReferenceId} ${id}`).join(', ')}]`;
}
