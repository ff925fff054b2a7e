import type { EntityTarget, ObjectLiteral } from 'typeorm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Holds, OrderLines, StorefrontOrders } from '../../../src/database/entities/orders.ts';
import { PrintAccounts, Shops, type Shop } from '../../../src/database/entities/shops.ts';
import { PrintOrders, ServiceOrders, type PrintOrder } from '../../../src/database/entities/print-orders.ts';
import { StepWaits } from '../../../src/database/entities/step-waits.ts';
import { enqueueAll, toJob } from '../../../src/jobs/enqueue.ts';
import { describeOutcome } from '../../../src/orders/facts/outcome-reasons.ts';
import { isStateIn } from '../../../src/orders/facts/order-state.ts';
import { isOpen } from '../../../src/orders/facts/to-order-state.ts';
import { listActionsFor, listOrderActions } from '../../../src/orders/manual-actions/hold-actions.ts';
import { isSuperseded, isUnsent } from '../../../src/orders/facts/print-order-predicates.ts';
import type { StoreFulfillmentOrder } from '../../../src/orders/facts/store-reading.ts';
import { listOrders, type ListedOrder } from '../../../src/orders/lists/list-orders.ts';
import { planOrder } from '../../../src/orders/plan/decide/plan-order.ts';
import type { EarlierSearch, Plan, PlanInput } from '../../../src/orders/plan/decide/plan.ts';
import { describeFailure } from '../../../src/orders/waits/describe-failure.ts';
import { PrintServiceError } from '../../../src/print/errors.ts';
import { addShop, openTestApp, type OpenTestApp } from '../../http/test-app.ts';
import { fulfillmentOrder, lineItem, planInput } from '../plan/plan-input.ts';

const NOW = new Date('2026-11-21T11:00:00Z');
const LINE = 'a';
const FAILURE = new PrintServiceError({
  operation: 'searchOrders',
  outcome: 'unavailable',
  reason: 'status 500',
  status: 500,
});
const WHY = describeFailure(FAILURE, "search for the order's earlier print orders");
const PAGE = 500;

/** The store's order: its payment, and its line's ordered units, units left to fulfill and fulfilled units. */
const MONEY = {
  paid: { displayFinancialStatus: 'PAID' },
  unpaid: { displayFinancialStatus: 'PENDING' },
  refunded: { displayFinancialStatus: 'REFUNDED' },
  canceled: { displayFinancialStatus: 'PAID', cancelledAt: '2026-11-21T11:00:00Z' },
} as const;
const UNITS = {
  open: { ordered: 2, left: 2, fulfilled: 0 },
  'partly fulfilled': { ordered: 2, left: 1, fulfilled: 1 },
  fulfilled: { ordered: 2, left: 0, fulfilled: 2 },
  removed: { ordered: 0, left: 0, fulfilled: 0 },
  returned: { ordered: 0, left: 0, fulfilled: 1 },
  'closed in the store': { ordered: 2, left: 0, fulfilled: 0 },
} as const;
/** Why units that are left to print wait, in addition to the payment. */
const BLOCKERS = {
  none: {},
  'no request yet': { requestStatus: 'UNSUBMITTED' },
  'on hold in the store': { status: 'ON_HOLD', fulfillmentHolds: [] },
  scheduled: { status: 'SCHEDULED', fulfillAt: '2026-12-01T00:00:00Z' },
  'cancellation requested': { requestStatus: 'CANCELLATION_REQUESTED' },
} satisfies Record<string, Partial<StoreFulfillmentOrder>>;

type Flags = Partial<PrintOrder> & { hold?: string };
const SENT = { confirmStartedAt: NOW, confirmedAt: NOW, serviceOrderId: 'at the service' };
const DRAFT = { serviceOrderId: 'at the service' };
const CLOSED = { closedAt: NOW, closedReason: 'changed' };
const CANCELING = { cancelRequestedAt: NOW };
const FENCED = { ...CLOSED, fencedAt: NOW };
const AGAIN = { printAgainAt: NOW };
/** Each state of a print order with the flags and holds that it can have. A new state without an entry does not compile. */
const PRINTS: Record<PrintOrder['state'], Flags[]> = {
  planned: [{}, CLOSED],
  quoted: [{}, CLOSED],
  submitting: [
    {},
    DRAFT,
    { ...DRAFT, confirmStartedAt: NOW },
    { ...DRAFT, ...CLOSED },
    { ...DRAFT, ...CANCELING },
    { ...DRAFT, isLeftAsDraft: true },
  ],
  uncertain: [
    { submitWay: 'direct', confirmStartedAt: NOW },
    { submitWay: 'direct', confirmStartedAt: NOW, ...CANCELING },
  ],
  submitted: [SENT, { ...SENT, ...CANCELING }, { ...SENT, ...AGAIN }],
  in_production: [SENT, { ...SENT, ...CANCELING }],
  shipped: [SENT, { ...SENT, ...AGAIN }],
  shipped_no_tracking: [SENT],
  held: [
    { hold: 'quote_refused' },
    { ...DRAFT, hold: 'confirm_refused' },
    { ...SENT, hold: 'service_on_hold' },
    { ...SENT, hold: 'service_on_hold', ...CANCELING },
    { ...SENT, ...AGAIN },
  ],
  fulfilled: [SENT, { ...SENT, ...AGAIN }],
  canceled: [{ ...SENT, hold: 'service_canceled' }, SENT, { ...SENT, ...AGAIN }, FENCED, { ...SENT, ...CLOSED }],
  failed: [{ ...SENT, hold: 'service_failed' }, SENT, { ...SENT, ...AGAIN }, FENCED],
};
const NO_FLAGS = {
  serviceOrderId: null,
  confirmStartedAt: null,
  confirmedAt: null,
  cancelRequestedAt: null,
  closedAt: null,
  closedReason: null,
  fencedAt: null,
  printAgainAt: null,
  isLeftAsDraft: false,
  submitWay: 'draft' as const,
};
type Print = Flags & { state: PrintOrder['state'] };
const EVERY_PRINT = Object.entries(PRINTS).flatMap(([state, all]) =>
  all.map((flags): Print => ({ state: state as PrintOrder['state'], ...flags })),
);
const FULFILLED: Print = { state: 'fulfilled', ...SENT };

interface Combination {
  money: keyof typeof MONEY;
  units: keyof typeof UNITS;
  blocker: keyof typeof BLOCKERS;
  prints: Print[];
  /** Units that an earlier installation printed and whose rows were deleted. If 1, the print orders were recovered with 1 unit each. */
  remembered: number;
  /** The result of the search for these units' print orders. */
  search: EarlierSearch;
  /** Whether the order was placed before the installation, and no backfill imported it. */
  isEarlier: boolean;
  isRedacted: boolean;
}

let app: OpenTestApp;
beforeAll(async () => void (app = await openTestApp()));
afterAll(() => app.close());

const keysOf = <Key extends string>(table: Record<Key, unknown>): Key[] => Object.keys(table) as Key[];

function* everyCombination(): Generator<Combination> {
  const printSets = [[], ...EVERY_PRINT.map((print) => [print]), ...EVERY_PRINT.map((print) => [FULFILLED, print])];
  for (const money of keysOf(MONEY))
    for (const units of keysOf(UNITS))
      for (const prints of printSets)
        for (const [remembered, search] of searchesFor(prints))
          // Only a backfill imports an order whose print orders are recovered.
          for (const isEarlier of remembered === 1 ? [false] : [false, true])
            for (const blocker of remembered === 0 && prints.length < 2 && !isEarlier
              ? keysOf(BLOCKERS)
              : (['none'] as const))
              // The job that redacts an order closes its unsent print orders in the same step.
              for (const isRedacted of money === 'paid' && blocker === 'none' && !prints.some(isOpenUnsent)
                ? [false, true]
                : [false])
                yield { money, units, blocker, prints, remembered, search, isEarlier, isRedacted };
}

const SEARCHES: EarlierSearch[] = ['pending', 'not_searched', 'not_found', 'unclear', 'over'];

/** Returns the numbers of remembered units and the search results with which these print orders can exist. */
function searchesFor(prints: readonly Print[]): [remembered: number, search: EarlierSearch][] {
  const all: [number, EarlierSearch][] = [
    [0, 'not_found'],
    [2, 'not_found'],
  ];
  if (prints.length === 0) return [...all, ...SEARCHES.map((search): [number, EarlierSearch] => [2, search])];
  const isRecovered = prints.length === 1 && prints.every(({ confirmedAt }) => confirmedAt);
  return isRecovered ? [...all, ...SEARCHES.map((search): [number, EarlierSearch] => [1, search])] : all;
}

const isReplaceable = (print: Print): boolean =>
  isUnsent({ printOrder: { ...NO_FLAGS, ...print } as unknown as PrintOrder, attempts: [] });
const isOpenUnsent = ({ state, closedAt }: Print): boolean => isStateIn(state, 'unsent') && !closedAt;

/** Plans the order as the plan job does after it has read these rows. */
function plan({ money, units, blocker, prints, remembered, search, isEarlier }: Combination): Plan {
  const { ordered, left, fulfilled } = UNITS[units];
  const counted = prints.flatMap((print): PlanInput['prints'] => {
    const row = { ...NO_FLAGS, ...print } as unknown as PrintOrder;
    if (isSuperseded(row)) return [];
    const isEnded = isStateIn(print.state, 'ended');
    return [
      {
        shopifyLineItemId: LINE,
        quantity: prints.length > 1 || remembered === 1 ? 1 : 2,
        fulfilledBefore: 0,
        shopifyFulfillmentOrderId: 'fo',
        isReplaceable: isReplaceable(print),
        isEnded,
        isOfThisInstall: !isEarlier && remembered !== 1,
      },
    ];
  });
  const forgotten = {
    shopifyLineItemId: LINE,
    quantity: remembered,
    fulfilledBefore: 0,
    shopifyFulfillmentOrderId: null,
    isReplaceable: false,
    isEnded: true,
    isForgotten: true,
    isOfThisInstall: false,
  };
  const lineItems = [lineItem(LINE, { currentQuantity: ordered })];
  const status = left > 0 ? 'OPEN' : 'CLOSED';
  const input = planInput(
    {
      lineItems,
      ...MONEY[money],
      ...(isEarlier && { createdAt: '2026-10-01T00:00:00Z' }),
      fulfillmentOrders: [fulfillmentOrder('fo', { [LINE]: left }, { status, ...(left > 0 && BLOCKERS[blocker]) })],
      fulfillments:
        fulfilled > 0 ? [{ id: 'f', status: 'SUCCESS', lines: [{ lineItem: { id: LINE }, quantity: fulfilled }] }] : [],
    },
    { prints: [...counted, ...(remembered > 0 ? [forgotten] : [])], earlierSearch: search },
  );
  return planOrder({ ...input, settings: { ...input.settings, submitsRequests: false } });
}

/** Adds the rows of these combinations, with the jobs that their plans would enqueue. Returns each combination by its order's ID. */
async function addOrders(
  shop: Shop,
  accountId: number,
  all: readonly Combination[],
): Promise<Map<string, Combination>> {
  const { manager } = app.db;
  const shopId = shop.id;
  const plans = all.map((one) =>
    one.isRedacted
      ? { outcome: 'nothing_to_do' as const, reason: 'customer_redacted' as const, holds: [], wanted: [] }
      : plan(one),
  );
  const toId = (index: number): string => `gid://shopify/Order/${index + 1}`;
  const ids = await insertAll(
    StorefrontOrders,
    all.map(({ money, isRedacted }, index) => ({
      shopId,
      shopifyOrderId: toId(index),
      name: `#${index + 1}`,
      placedAt: NOW,
      readAt: NOW,
      outcome: plans[index]?.outcome,
      outcomeReason: plans[index]?.reason ?? null,
      redactedAt: isRedacted ? NOW : null,
      canceledAt: money === 'canceled' ? NOW : null,
    })),
  );
  const orders = all.map((one, index) => ({ ...one, storefrontOrderId: ids[index] ?? '', plan: plans[index] }));
  await insertAll(
    OrderLines,
    orders.map(({ units, storefrontOrderId }) => ({
      storefrontOrderId,
      shopifyLineItemId: LINE,
      decision: 'ours',
      orderedQuantity: UNITS[units].ordered,
      fulfilledQuantity: UNITS[units].fulfilled,
    })),
  );
  const prints = orders.flatMap(({ prints: given, storefrontOrderId, plan: made }) => {
    const isNew = (made?.wanted.length ?? 0) > 0 && !given.some(({ state }) => isStateIn(state, 'unordered'));
    // A plan with nothing to do closes every print order that it can still replace.
    const kept = given.map((print) =>
      made?.outcome === 'nothing_to_do' && isReplaceable(print) ? { ...print, ...CLOSED } : print,
    );
    const every: Print[] = isNew ? [...kept, { state: 'planned' }] : kept;
    return every.map((print, index) => ({ print, storefrontOrderId, part: index + 1, outcome: made?.outcome }));
  });
  const serviceOrderIdOf = (storefrontOrderId: string, part: number): string => `s${storefrontOrderId}-${part}`;
  const printIds = await insertAll(
    PrintOrders,
    prints.map(({ print: { hold: _hold, ...print }, storefrontOrderId, part }) => ({
      shopId,
      storefrontOrderId,
      printAccountId: accountId,
      shopifyFulfillmentOrderId: 'fo',
      part,
      reference: `r${storefrontOrderId}-${part}`,
      planSha256: '',
      ...NO_FLAGS,
      ...print,
      serviceOrderId: print.serviceOrderId ? serviceOrderIdOf(storefrontOrderId, part) : null,
    })),
  );
  const serviceOrders = prints.flatMap(({ print, storefrontOrderId, part }, index) => {
    const serviceOrderId = serviceOrderIdOf(storefrontOrderId, part);
    const row = { printOrderId: printIds[index], printAccountId: accountId, serviceOrderId, role: 'chosen' };
    return print.serviceOrderId ? [row] : [];
  });
  await insertAll(ServiceOrders, serviceOrders);
  const holds = orders.flatMap(({ storefrontOrderId, plan: made }) => {
    const about = { shopId, storefrontOrderId, printOrderId: null };
    return (made?.holds ?? []).map(({ code, message }) => ({ ...about, code, message }));
  });
  const printHolds = prints.flatMap(({ print: { hold: code }, storefrontOrderId }, index) => {
    const about = { shopId, storefrontOrderId, printOrderId: printIds[index] };
    return code === undefined ? [] : [{ ...about, code, message: 'It is held.' }];
  });
  await insertAll(Holds, [...holds, ...printHolds]);
  const unsent = prints.filter(({ print, outcome }) => isStateIn(print.state, 'unsent') && outcome === 'planned');
  const unsentIds = new Set(unsent.map(({ storefrontOrderId }) => storefrontOrderId));
  // A failed search has a wait with its reason, and is repeated.
  const later = orders.filter(({ search, remembered }) => search === 'pending' && remembered > 0);
  const failed = { step: 'plan', code: 'timeout', why: WHY, tries: 1, since: NOW, lastAt: NOW, nextAt: NOW } as const;
  await insertAll(
    StepWaits,
    later.map(({ storefrontOrderId }) => ({ ...failed, storefrontOrderId, shopId })),
  );
  const jobs = [
    ...[...unsentIds].map((storefrontOrderId) => toJob('quote_order', { storefrontOrderId })),
    ...later.map(({ storefrontOrderId }) =>
      toJob('plan_order', { storefrontOrderId }, { key: `plan-later:${storefrontOrderId}` }),
    ),
  ];
  for (let start = 0; start < jobs.length; start += PAGE) await enqueueAll(manager, jobs.slice(start, start + PAGE));
  return new Map(all.map((one, index) => [toId(index), one]));
}

async function insertAll(table: EntityTarget<ObjectLiteral>, rows: readonly object[]): Promise<string[]> {
  const ids: string[] = [];
  for (let start = 0; start < rows.length; start += PAGE) {
    const { identifiers } = await app.db.manager.insert(table, rows.slice(start, start + PAGE));
    ids.push(...identifiers.map((row) => String(row['id'])));
  }
  return ids;
}

/** Waits that end when the merchant acts: with an action on the order, a working key, or by opening or installing the app. */
const MERCHANTS = new Set(
  (['printed_already', 'earlier_search', 'needs_sign_in', 'platen_left'] as const).map(describeOutcome),
);

/**
 * Returns what an order in this state lacks, or null. Every order shows a state and, unless it is over, a reason. Each of its waits has a next
 * time, or there is something that the merchant can do.
 */
function findGap({ state, holds, waits }: ListedOrder, reason: string | null): string | null {
  const isKnown = reason !== null && describeOutcome(reason) !== reason;
  if (state === 'nothing_to_do' && !isKnown) return 'no reason';
  if (state === 'held' && holds.length === 0) return 'no hold';
  if (isOpen(state) && state !== 'held' && waits.length === 0) return 'no wait';
  if ([...waits, ...holds].some(({ message }) => message === '')) return 'no reason';
  if (holds.some(({ code, remedy }) => remedy === '' || listActionsFor(code).length === 0)) return 'nothing to do';
  const sent = waits.filter(({ message }) => message === describeOutcome('printed_already'));
  if (holds.length > 0 && sent.length > 0) return 'a hold, although it says that every unit was sent';
  const merchants = waits.filter(({ message }) => MERCHANTS.has(message));
  if (merchants.some(({ nextAt }) => nextAt !== null)) return 'a time at which nothing happens';
  if (holds.length > 0 || !isOpen(state)) return null;
  // The app is opened or installed again, or the order has an action.
  const about = { heldAt: null, cancelAskedAt: null, outcomeReason: reason };
  if (sent.length > 0 && sent.length === merchants.length)
    return listOrderActions({ order: about, state, isHeld: false, canSend: false }).length > 0 ? null : 'no action';
  // A print order may wait for the same thing as its order.
  const timed = new Set(waits.flatMap(({ message, nextAt }) => (nextAt === null ? [] : [message])));
  return merchants.length === 0 && waits.some(({ message }) => !timed.has(message)) ? 'no next time' : null;
}

test.each(['installed', 'needs_sign_in', 'leaving'] as const)(
  'no combination of rows of a shop that is %s leaves an order waiting or printing without a reason and a next step',
  { timeout: 180_000 },
  async (state) => {
    const { manager } = app.db;
    const { id } = await addShop(app.db);
    const { id: accountId } = await manager.save(
      PrintAccounts,
      manager.create(PrintAccounts, { keyFingerprint: state, keyEncrypted: '' }),
    );
    await manager.update(Shops, { id }, { state, printAccountId: accountId });
    const shop = await manager.findOneByOrFail(Shops, { id });
    // Only what Platen still does differs between the states of a shop.
    const isKept = (one: Combination): boolean =>
      state === 'installed' || (!one.isEarlier && one.remembered === 0 && one.blocker === 'none');
    const combinations = await addOrders(shop, accountId, [...everyCombination()].filter(isKept));
    const reasons: { id: string; reason: string | null }[] = await app.db.query(
      'select shopify_order_id as id, outcome_reason as reason from storefront_orders where shop_id = $1',
      [id],
    );
    const reasonOf = new Map(reasons.map((row) => [row.id, row.reason]));
    const gaps: unknown[] = [];
    for await (const order of listOrders(app, shop)) {
      const reason = reasonOf.get(order.orderId) ?? null;
      const gap = findGap(order, reason);
      if (gap !== null)
        gaps.push({ gap, waits: order.waits, state: order.state, reason, ...combinations.get(order.orderId) });
    }
    expect(combinations.size).toBeGreaterThan(300);
    expect({ gaps: gaps.length, first: gaps.slice(0, 5) }).toEqual({ gaps: 0, first: [] });
  },
);
