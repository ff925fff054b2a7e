import { OWN_STOCK_SKU } from '../../chaos/orders/catalog.ts';
import { findDuplicateOrders } from '../../chaos/books/check-printed.ts';
import { countUnits, sum, toNumericId, type LineUnits } from './count-units.ts';
import type { Ledger } from './ledger.ts';
import { computeItemReference } from '../../../src/orders/facts/compute-reference.ts';
import { liveOrders, SHIPPED, type Books } from './read-books.ts';

/** A violated rule. */
export interface Finding {
  rule:
    | 'overprinted'
    | 'foreign'
    | 'twins'
    | 'silent'
    | 'untold'
    | 'mails'
    | 'codes'
    | 'draft'
    | 'state'
    | 'lost'
    | 'refused'
    | 'repeated'
    | 'forgotten'
    | 'estimate'
    | 'restless'
    | 'not-replayed'
    | 'failed-job'
    | 'server-error'
    | 'error';
  evidence: string;
}

/** Units may be sent to print based on a reading of the store that is at most this old. */
const READING_MS = 32_000;

/**
 * Finds units that were sent to print since the last moment in `history`, although no state of the store within the preceding READING_MS
 * called for them.
 */
export function judgePrinting(history: readonly Books[], now: Books, ledger: Ledger): Finding[] {
  const last = history.at(-1);
  const before = new Map(last ? countUnits(last, ledger).map((line) => [line.id, line]) : []);
  const since = Math.min(last?.at ?? now.at, ledger.lateSince ?? now.at) - READING_MS;
  const seen = [...history.filter(({ at }, index) => at >= since || history[index + 1] === undefined), now];
  return countUnits(now, ledger).flatMap((line): Finding[] => {
    const was = before.get(line.id)?.live ?? 0;
    if (line.live <= was) return [];
    if (line.sku === OWN_STOCK_SKU) return [{ rule: 'foreign', evidence: `${line.live} of ${line.sku} are printed` }];
    const wanted = Math.max(...seen.map((books) => wantedOf(books, line.id, ledger)));
    const accounted = unitsOf(ledger, line.id);
    if (line.live <= wanted + accounted) return [];
    const evidence = `${line.live} of ${line.sku} (${toNumericId(line.id)}) live, ${was} before, ${wanted} wanted, ${accounted} more by hand`;
    return [{ rule: 'overprinted', evidence }];
  });
}

/** Returns the units of a line that someone reprinted or fulfilled by hand. */
function unitsOf({ reprints, markedByHand }: Ledger, id: string): number {
  return countOf(reprints, id) + countOf(markedByHand, id);
}

/** Returns the units of a line, whose items have another reference in v1. */
function countOf(units: ReadonlyMap<string, number>, id: string): number {
  return (units.get(toNumericId(id)) ?? 0) + (units.get(computeItemReference(id, 'v1')) ?? 0);
}

/** Finds lines with more printed units than were ever ordered. This is the only rule that can be checked while steps overlap. */
export function judgeTotal(books: Books, ledger: Ledger): Finding[] {
  const ordered = new Map(books.store.lines.map(({ id, quantity }) => [id, quantity]));
  return countUnits(books, ledger).flatMap(({ id, sku, live }): Finding[] => {
    const most = sku === OWN_STOCK_SKU ? 0 : (ordered.get(id) ?? 0) + unitsOf(ledger, id);
    return live <= most ? [] : [{ rule: 'overprinted', evidence: `${live} of ${sku} live, ${most} ever ordered` }];
  });
}

function wantedOf(books: Books, id: string, ledger: Ledger): number {
  const line = countUnits(books, ledger).find((one) => one.id === id);
  return line && books.store.cancelledAt === null ? line.ready + line.done : 0;
}

/** Finds violated rules when nothing is in progress. */
export function judgeAtRest(books: Books, ledger: Ledger): Finding[] {
  const lines = countUnits(books, ledger).filter(({ sku }) => sku !== OWN_STOCK_SKU);
  return [
    ...findDuplicateOrders({ live: liveOrders(books.printed) }).map(({ evidence }): Finding => ({
      rule: 'twins',
      evidence,
    })),
    ...findUnexplained(books, lines, ledger),
    ...findUnreportedPrints(books, lines, ledger),
    ...judgeFulfillments(books, ledger),
    ...findDrafts(books),
    ...judgeState(books, lines),
  ];
}

/** Outcome reasons of orders whose units are not printed because someone canceled, closed or refunded them. */
const CANCELED_REASONS = [
  'canceled',
  'canceled_by_hand',
  'cancellation_accepted',
  'closed_in_store',
  'refunded',
  'not_payable',
];

/**
 * Returns whether a merchant can see why units are not printed: a hold, a wait with the time of the next attempt or a reason such as a
 * cancellation.
 */
function isExplained({ shown }: Books): boolean {
  if (shown === null) return false;
  if (shown.holds.length > 0) return true;
  if (shown.reason === null) return false;
  if (CANCELED_REASONS.includes(shown.reason.code)) return true;
  return shown.waits.some(({ reference, nextAt }) => reference === null && nextAt !== null);
}

const describe = ({ sku, open, done, live, shipped }: LineUnits): string =>
  `${sku}: ${open} open, ${live} live, ${shipped} shipped, ${done} fulfilled by Platen`;

/** Finds units that are not printed, held or waiting with a reason, and units that have shipped but are not fulfilled. */
function findUnexplained(books: Books, lines: readonly LineUnits[], { reprints }: Ledger): Finding[] {
  const { shown, store } = books;
  if (shown === null) {
    const isKnown = store.fulfillmentOrders.length === 0 || lines.every(({ open }) => open === 0);
    return isKnown ? [] : [{ rule: 'silent', evidence: 'Platen does not know the order' }];
  }
  if (shown.holds.length > 0 || store.cancelledAt !== null) return [];
  if (['printing', 'waiting'].includes(shown.state)) {
    const timeless = shown.waits.filter(({ nextAt }) => nextAt === null).map(({ message }) => message);
    if (shown.waits.length === 0 || timeless.length > 0)
      return [{ rule: 'silent', evidence: `${shown.state} without a next time: ${timeless.join(' ')}` }];
  }
  return lines.flatMap((line): Finding[] => {
    const underWay = Math.max(0, line.live - line.done);
    if (line.open > underWay && !isExplained(books))
      return [{ rule: 'silent', evidence: `not printed, ${shown.state}; ${describe(line)}` }];
    // These units are being reprinted, and the replacements have not shipped yet.
    const replaced = countOf(reprints, line.id);
    // Units on hold in the store cannot be fulfilled until someone releases them.
    if (Math.min(line.open - line.onHold, line.shipped - line.done - replaced) > 0)
      return [{ rule: 'silent', evidence: `shipped but not fulfilled, ${shown.state}; ${describe(line)}` }];
    return [];
  });
}

const REPORTS_CHANGE = /changed|cannot_cancel|too late|another address|differ|fulfillment of .* was canceled/i;

/** Finds units that were printed after someone had removed them from the order, unless a hold or timeline entry reported them. */
function findUnreportedPrints({ shown, store }: Books, lines: readonly LineUnits[], ledger: Ledger): Finding[] {
  if (shown === null || ledger.settled) return [];
  const wasReported =
    shown.holds.length > 0 || shown.timeline.some(({ kind, message }) => REPORTS_CHANGE.test(`${kind} ${message}`));
  if (wasReported) return [];
  return lines.flatMap((line): Finding[] => {
    const marked = ledger.overlaps ? line.byHand : countOf(ledger.markedByHand, line.id);
    const excess = line.live - line.open - line.done - countOf(ledger.reprints, line.id) - marked;
    // "As sent" in docs/merchants/changes-after-payment.md: a change that is detected after the whole line has shipped and been fulfilled
    // causes no hold.
    const isAsSent = line.open === 0 && line.done > 0 && line.shipped === line.live;
    if (excess <= 0 || isAsSent) return [];
    const cancelled = store.cancelledAt === null ? '' : ', the order is canceled';
    return [{ rule: 'untold', evidence: `${excess} taken back but printed${cancelled}; ${describe(line)}` }];
  });
}

/** Checks that the buyer gets exactly one email about each of Platen's fulfillments, and that each code is in exactly one fulfillment. */
function judgeFulfillments({ store, printed }: Books, { byHand, hiddenCorrections }: Ledger): Finding[] {
  const ours = store.fulfillments.filter(({ id }) => !byHand.has(id));
  const mails = ours
    .filter(({ notifications }) => notifications > 1)
    .map(({ id, notifications }): Finding => ({
      rule: 'mails',
      evidence: `${notifications} emails about ${toNumericId(id)}`,
    }));
  const codes = Map.groupBy(
    ours.flatMap(({ id, trackingCodes, notifications }) => trackingCodes.map((code) => ({ id, code, notifications }))),
    ({ code }) => code,
  );
  const packages = printed.flatMap(({ shipment }) => shipment.packages);
  const quantities = new Map(printed.flatMap(({ items }) => items.map(({ id, quantity }) => [id, quantity])));
  /** A package may belong to several fulfillments, one for each location. Together, they fulfill at most the units in the package. */
  const isSplit = (code: string): boolean => {
    const shipped = packages
      .filter(({ trackingCode }) => trackingCode === code)
      .flatMap(({ orderItemIds }) => orderItemIds.map((id) => quantities.get(id) ?? 0));
    const fulfilled = ours
      .filter(({ trackingCodes }) => trackingCodes.includes(code))
      .flatMap(({ lines }) => lines.map(({ quantity }) => quantity));
    return sum(fulfilled) <= sum(shipped);
  };
  return [
    ...mails,
    ...[...codes].flatMap(([code, uses]): Finding[] => {
      if (uses.every(({ notifications }) => notifications === 0))
        return [{ rule: 'mails', evidence: `no email about ${code}` }];
      if (uses.length > 1 && !isSplit(code))
        return [{ rule: 'codes', evidence: `${code} is in ${uses.map(({ id }) => toNumericId(id)).join(', ')}` }];
      if (hiddenCorrections.has(code) || packages.some(({ trackingCode }) => trackingCode === code)) return [];
      return [{ rule: 'codes', evidence: `${code} is in no package` }];
    }),
  ];
}

/** Finds drafts that were not deleted although the order is not held. */
function findDrafts({ printed, shown }: Books): Finding[] {
  if (shown !== null && shown.holds.length > 0) return [];
  return printed
    .filter(({ orderType, deleted }) => orderType === 'draft' && deleted !== true)
    .map(({ orderReferenceId, id }) => ({
      rule: 'draft',
      evidence: `${orderReferenceId} ${id} was not deleted, ${shown?.state}`,
    }));
}

/** Checks the order's state against the stand-ins' records. */
function judgeState({ store, printed, shown }: Books, lines: readonly LineUnits[]): Finding[] {
  if (shown === null) return [];
  const { state } = shown;
  const why = `${state} (${shown.reason?.code ?? 'no reason'})`;
  const wrong = (what: string): Finding => ({ rule: 'state', evidence: `${why}, but ${what}` });
  const isCanceled = store.cancelledAt !== null;
  if (isCanceled !== (state === 'canceled')) return [wrong(isCanceled ? 'it is canceled' : 'it is not canceled')];
  if (isCanceled) return [];
  const open = lines.filter((line) => line.open > 0);
  const uncovered = open.filter((line) => line.open > Math.max(0, line.live - line.done));
  const live = liveOrders(printed).flatMap(({ items }) => items);
  const isUnderWay = live.some(({ fulfillmentStatus }) => !SHIPPED.includes(fulfillmentStatus));
  if (state === 'held') return shown.holds.length > 0 ? [] : [wrong('nothing is held')];
  if (shown.holds.length > 0) return [wrong('it has holds')];
  switch (state) {
    case 'fulfilled':
      if (open.length > 0) return [wrong(`left: ${open.map(describe).join('; ')}`)];
      return [];
    case 'printing':
      return isUnderWay || (open.length > 0 && live.length > 0) ? [] : [wrong('nothing is in progress at the service')];
    case 'nothing_to_do':
      if (uncovered.length > 0 && shown.reason === null) return [wrong(`left: ${uncovered.map(describe).join('; ')}`)];
      return isUnderWay && open.length > 0 ? [wrong('something is being printed')] : [];
    case 'waiting': {
      // Platen makes no decisions about an unpaid order, not even which lines to print.
      const isLeft = store.fulfillmentOrders.some(({ lines: all }) => all.some(({ remaining }) => remaining > 0));
      return open.length === 0 && !isLeft ? [wrong('nothing is left to do')] : [];
    }
    default:
      return [];
  }
}
