import { describe, expect, test } from 'vitest';
import { fileUrlOf, printedVariants } from '../orders/catalog.ts';
import type { Finding } from './finding.ts';
import { checkBooks } from './check-books.ts';
import { byOrder } from './order-books.ts';
import type { PlacedOrder, Units } from '../orders/planned-order.ts';
import type { Books, PrintRecord, StoreRecord } from './read-books.ts';
import { inProgressReason } from './in-progress-reason.ts';

const SHOP = 'chaos-1.myshopify.com';
const PLACED_AT = Date.parse('2026-11-20T10:00:00Z');
const WANTS = { 'MUG-11OZ': 2, CARDS: 1 };
const LINE_IDS: Readonly<Record<string, string>> = { 'MUG-11OZ': '901', CARDS: '902', VASE: '903' };

function placed(change: Partial<PlacedOrder> = {}): PlacedOrder {
  return {
    id: 'gid://shopify/Order/1',
    name: '#1001',
    shop: SHOP,
    submit: 'draft',
    buyer: 'Buyer0',
    wants: WANTS,
    placedAt: new Date(PLACED_AT),
    change: null,
    ...change,
  };
}

function printRecord(units: Units = WANTS, change: Partial<PrintRecord> = {}): PrintRecord {
  const id = change.id ?? 'p1';
  const items = Object.entries(units).map(([sku, quantity], index) => ({
    id: `${id}-${index}`,
    itemReferenceId: LINE_IDS[sku] ?? sku,
    productUid: printedVariants.find((one) => one.sku === sku)?.productUid ?? sku,
    fileUrl: fileUrlOf(SHOP, sku),
    quantity,
    fulfillmentStatus: 'shipped',
  }));
  const packages = items.map((item, index) => ({ orderItemIds: [item.id], trackingCode: `${id}-code-${index}` }));
  return {
    id,
    orderReferenceId: 'plabcd-1001-1-aaaaaaaaaaaa',
    orderType: 'order',
    fulfillmentStatus: 'shipped',
    createdAt: '2026-11-20T10:00:05+00:00',
    orderedAt: '2026-11-20T10:00:06+00:00',
    connectedOrderIds: [],
    items,
    metadata: [
      { key: 'shop', value: SHOP },
      { key: 'order', value: '#1001' },
    ],
    shippingAddress: { lastName: 'Buyer0' },
    shipment: { packages },
    ...change,
  };
}

const fulfillment = (id: string, units: Units, trackingCodes: string[], notifications = 1) => ({
  id,
  lines: Object.entries(units).map(([sku, quantity]) => ({ sku, quantity })),
  trackingCodes,
  notifications,
});

const MUGS = fulfillment('f1', { 'MUG-11OZ': 2 }, ['p1-code-0']);
const CARDS = fulfillment('f2', { CARDS: 1 }, ['p1-code-1']);

function storeRecord(change: Partial<StoreRecord> = {}): StoreRecord {
  return {
    id: 'gid://shopify/Order/1',
    name: '#1001',
    shop: SHOP,
    lines: Object.entries(LINE_IDS).map(([sku, id]) => ({ id: `gid://shopify/LineItem/${id}`, sku, quantity: 2 })),
    fulfillments: [MUGS, CARDS],
    fulfillmentOrders: [{ id: 'fo1', status: 'CLOSED', requestStatus: 'ACCEPTED', location: 'service', lines: [] }],
    cancelledAt: null,
    ...change,
  };
}

interface AppView {
  state: 'canceled' | 'held' | 'fulfilled' | 'printing' | 'waiting' | 'nothing_to_do';
  holds?: string[];
  serviceOrderIds?: string[];
}

function books(
  print: PrintRecord[] = [printRecord()],
  store: StoreRecord[] = [storeRecord()],
  { state, holds = [], serviceOrderIds = [] }: AppView = { state: 'fulfilled' },
): Books {
  const listed = {
    orderId: 'gid://shopify/Order/1',
    name: '#1001',
    placedAt: '2026-11-01T00:00:00.000Z',
    state,
    label: state,
    holds: holds.map((code) => ({ code, field: null, message: `because of ${code}`, remedy: '' })),
    printOrders: [{ reference: 'plabcd-1001-1-aaaaaaaaaaaa', state: 'fulfilled' as const, serviceOrderIds, lines: [] }],
    waits: [],
  };
  return { print, store, listed: new Map([[listed.orderId, listed]]) };
}

const check = (held: Books, order = placed(), restored: Parameters<typeof checkBooks>[2] = null) =>
  checkBooks(held, [order], restored);

/** Returns the kinds of findings in the books. */
function kindsIn(held: Books, order = placed()): Finding['kind'][] {
  const { findings } = check(held, order);
  return [...new Set(findings.map(({ kind }) => kind))].toSorted();
}

/** Returns the books of an order without print orders. */
const unprinted = (appView: AppView, change: Partial<StoreRecord> = {}) =>
  books([], [storeRecord({ fulfillments: [], ...change })], appView);

const changed = (kind: NonNullable<PlacedOrder['change']>['kind'], wants: Units) =>
  placed({ change: { kind, at: new Date(PLACED_AT + 3_000), wants } });

const CANCELED_AT = { cancelledAt: '2026-11-20T10:00:03Z' };
const GIVEN_UP = {
  fulfillmentOrders: [
    { id: 'fo1', status: 'CANCELLED', requestStatus: 'CANCELLATION_ACCEPTED', location: 'service', lines: [] },
  ],
};
const EDITED = { 'MUG-11OZ': 1, CARDS: 1 };
const SECOND = 'plabcd-1001-2-bbbbbbbbbbbb';

/** Returns the books of a printed order whose fulfillments are these. */
const fulfilled = (...fulfillments: StoreRecord['fulfillments']) => books(undefined, [storeRecord({ fulfillments })]);

const connected = { connectedOrderIds: ['p1', 'p2'] };
const inParts = [printRecord({ 'MUG-11OZ': 2 }, connected), printRecord({ CARDS: 1 }, { id: 'p2', ...connected })];
const added = printRecord({ CARDS: 1 }, { id: 'p2', orderReferenceId: SECOND });
const canceled = printRecord(WANTS, { id: 'p0', fulfillmentStatus: 'canceled' });
const deleted = printRecord(WANTS, { id: 'p2', orderType: 'draft', fulfillmentStatus: 'draft', deleted: true });

test.each<[what: string, held: Books, order?: PlacedOrder]>([
  ['that is printed and shipped in two packages', books()],
  [
    'in connected parts under one reference',
    books(inParts, [storeRecord({ fulfillments: [MUGS, fulfillment('f2', { CARDS: 1 }, ['p2-code-0'])] })]),
  ],
  ['with canceled and deleted print orders beside the printed one', books([canceled, printRecord(), deleted])],
  ['whose tracking codes share one fulfillment', fulfilled(fulfillment('f1', WANTS, ['p1-code-0', 'p1-code-1']))],
  [
    'whose added line is printed under a second reference',
    books(
      [printRecord(), added],
      [storeRecord({ fulfillments: [MUGS, CARDS, fulfillment('f3', { CARDS: 1 }, ['p2-code-0'])] })],
    ),
    changed('edited', { ...WANTS, CARDS: 2 }),
  ],
  ['that was canceled before it was sent', unprinted({ state: 'canceled' }, CANCELED_AT), changed('canceled', {})],
  [
    'that was canceled too late, which a hold reports',
    books(undefined, [storeRecord({ ...CANCELED_AT, fulfillments: [] })], {
      state: 'canceled',
      holds: ['cannot_cancel'],
    }),
    changed('canceled', {}),
  ],
  [
    'that was changed after it was sent, which a hold reports',
    books(undefined, undefined, { state: 'held', holds: ['changed_after_submit'] }),
    changed('edited', EDITED),
  ],
  ['with a unit that was refunded after its delivery', books(), changed('refunded', EDITED)],
  [
    'whose fulfillment was canceled in time',
    unprinted({ state: 'waiting' }, GIVEN_UP),
    changed('cancellationRequested', {}),
  ],
  ['whose fulfillment was canceled too late', books(), changed('cancellationRequested', {})],
])('an order %s produces no finding', (_what, held, order = placed()) => {
  expect(check(held, order)).toMatchObject({ findings: [], held: 0 });
});

const { items } = printRecord();
const withItem = (change: Partial<PrintRecord['items'][number]>) =>
  books([printRecord(WANTS, { items: [{ ...items[0]!, ...change }, items[1]!] })]);
const label = [
  { key: 'shop', value: SHOP },
  { key: 'order', value: '#1002' },
];
const fewer = [storeRecord({ fulfillments: [fulfillment('f1', { 'MUG-11OZ': 1 }, ['p1-code-0']), CARDS] })];
const draft = printRecord(WANTS, { id: 'd1', orderType: 'draft', fulfillmentStatus: 'draft' });
const halves = [1, 2].map((half) => fulfillment(`h${half}`, { 'MUG-11OZ': 1 }, ['p1-code-0']));

test.each<[what: string, kind: Finding['kind'], held: Books, order?: PlacedOrder]>([
  ['two live orders with one reference', 'duplicates', books([printRecord(), printRecord({}, { id: 'p2' })])],
  ['a unit under two references', 'duplicates', books([printRecord(), added])],
  [
    'a duplicate of a held order',
    'duplicates',
    books([printRecord(), printRecord({}, { id: 'p2' })], undefined, { state: 'held', holds: ['several_orders'] }),
  ],
  [
    'a print order for an unknown buyer',
    'duplicates',
    books([printRecord(), printRecord(WANTS, { id: 'p2', shippingAddress: { lastName: 'Somebody' } })]),
  ],
  ['an unprinted order that is listed as fulfilled', 'lost', unprinted({ state: 'fulfilled' })],
  ['an unprinted order that is listed as printing', 'lost', unprinted({ state: 'printing' })],
  ['an unprinted order with nothing to do', 'lost', unprinted({ state: 'nothing_to_do' })],
  ['an order with only a canceled print order', 'lost', books([canceled], [storeRecord({ fulfillments: [] })])],
  ['an order that the app does not know', 'lost', { ...unprinted({ state: 'waiting' }), listed: new Map() }],
  ['too few units', 'wrongLines', books([printRecord({ 'MUG-11OZ': 1, CARDS: 1 })], fewer)],
  ['too many units', 'wrongLines', books([printRecord({ 'MUG-11OZ': 3, CARDS: 1 })])],
  ['an unprinted line', 'wrongLines', books([printRecord({ 'MUG-11OZ': 2 })], [storeRecord({ fulfillments: [MUGS] })])],
  ['a wrong product', 'wrongLines', withItem({ productUid: items[1]!.productUid })],
  ["another shop's file", 'wrongLines', withItem({ fileUrl: fileUrlOf('chaos-2.myshopify.com', 'MUG-11OZ') })],
  ['an item without a line', 'wrongLines', withItem({ itemReferenceId: '77' })],
  ['a wrong label', 'wrongLines', books([printRecord(WANTS, { metadata: label })])],
  [
    'an order that was sent long after its change',
    'wrongLines',
    books([printRecord(WANTS, { orderedAt: '2026-11-20T10:01:03+00:00' })], fewer),
    changed('edited', EDITED),
  ],
  [
    'a change that neither the print order nor a hold shows',
    'wrongLines',
    books(undefined, fewer, { state: 'printing' }),
    changed('edited', EDITED),
  ],
  [
    'a live print order of a canceled order',
    'wrongLines',
    books(undefined, [storeRecord({ ...CANCELED_AT, fulfillments: [] })], { state: 'canceled' }),
    changed('canceled', {}),
  ],
  [
    'a print order after its cancellation was accepted',
    'wrongLines',
    books(undefined, [storeRecord({ fulfillments: [], ...GIVEN_UP })], { state: 'waiting' }),
    changed('cancellationRequested', {}),
  ],
  [
    'swapped tracking codes',
    'wrongTracking',
    fulfilled(fulfillment('f1', { 'MUG-11OZ': 2 }, ['p1-code-1']), fulfillment('f2', { CARDS: 1 }, ['p1-code-0'])),
  ],
  [
    'a code of an unprinted line',
    'wrongTracking',
    fulfilled(fulfillment('f1', { 'MUG-11OZ': 2, VASE: 1 }, ['p1-code-0']), CARDS),
  ],
  ['an unknown code', 'wrongTracking', fulfilled(fulfillment('f1', { 'MUG-11OZ': 2 }, ['p1-code-0', 'X']), CARDS)],
  ['a fulfillment without a code', 'wrongTracking', fulfilled(fulfillment('f1', { 'MUG-11OZ': 2 }, []), CARDS)],
  ['a missing fulfillment', 'wrongTracking', fulfilled(MUGS)],
  [
    'a line that is fulfilled twice',
    'doubledFulfillments',
    fulfilled(MUGS, CARDS, fulfillment('f3', { CARDS: 1 }, ['p1-code-1'], 0)),
  ],
  ['a code in two fulfillments', 'doubledFulfillments', fulfilled(...halves, CARDS)],
  ['the emails of both fulfillments', 'doubleNotifications', fulfilled(...halves, CARDS)],
  [
    'two emails for one fulfillment',
    'doubleNotifications',
    fulfilled(fulfillment('f1', { 'MUG-11OZ': 2 }, ['p1-code-0'], 2), CARDS),
  ],
  ['a spare draft', 'spareDrafts', books([printRecord(), draft])],
])('%s is reported as a finding of the kind %s', (_what, kind, held, order) => {
  expect(kindsIn(held, order)).toContain(kind);
});

test('a duplicate is counted once and shown with its times, and the draft of a held order is no spare draft', () => {
  const { duplicates, findings, printed } = check(books([printRecord(), printRecord({}, { id: 'p2' })]));
  expect({ duplicates, printed }).toEqual({ duplicates: 1, printed: 0 });
  expect(findings[0]?.evidence).toContain('p1 (shipped, made 10:00:05)');
  const held = { state: 'held' as const, holds: ['confirm_refused'], serviceOrderIds: ['d1'] };
  expect(kindsIn(books([draft], [storeRecord({ fulfillments: [] })], held))).toEqual([]);
});

describe('holds in the books', () => {
  const held = unprinted({ state: 'held', holds: ['outcome_unknown'] });

  test('a hold is attributed to the restore if the order was affected between the backup and the restore', () => {
    const during = { backedUpAt: PLACED_AT - 1_000, restoredAt: PLACED_AT + 4_000 };
    const printedDuring = { backedUpAt: PLACED_AT + 3_000, restoredAt: PLACED_AT + 9_000 };
    const long = { backedUpAt: PLACED_AT + 60_000, restoredAt: PLACED_AT + 66_000 };
    expect(check(held, placed(), during)).toMatchObject({ held: 0, heldByRestore: 1 });
    expect(check(held, placed(), printedDuring)).toMatchObject({ held: 1, heldByRestore: 0 });
    const printed = books(undefined, undefined, { state: 'held', holds: ['unknown_print_order'] });
    expect(check(printed, placed(), printedDuring)).toMatchObject({ held: 0, heldByRestore: 1 });
    expect(check(printed, placed(), long)).toMatchObject({ held: 1, heldByRestore: 0 });
  });
});

describe('orders in progress', () => {
  const why = (held: Books, order = placed()) => inProgressReason(byOrder(held, [order])[0]!);

  test('an order is in progress while it is being printed or the app still has work to do for it', () => {
    expect(why(books([printRecord(WANTS, { fulfillmentStatus: 'printed' })]))).toContain('printed');
    expect(why(books(undefined, undefined, { state: 'printing' }))).not.toBeNull();
    expect(why(unprinted({ state: 'waiting' }))).not.toBeNull();
    expect(why({ ...unprinted({ state: 'waiting' }), listed: new Map() })).toBe('is unknown to the app');
    const cancelled = { cancelledAt: '2026-11-20T10:00:03Z' };
    expect(why(unprinted({ state: 'printing' }, cancelled))).toContain('canceled');
  });

  test('an order is in progress until a pending request from the store has been answered', () => {
    const asked = { id: 'fo1', status: 'IN_PROGRESS', requestStatus: 'CANCELLATION_REQUESTED', location: 'service' };
    const record = storeRecord({ fulfillmentOrders: [{ ...asked, lines: [] }] });
    expect(why(books(undefined, [record]))).toContain('cancellation_requested');
  });

  test('an order is no longer in progress once it is fulfilled, held, canceled or no longer wanted', () => {
    expect(why(books())).toBeNull();
    expect(why(unprinted({ state: 'held', holds: ['outcome_unknown'] }))).toBeNull();
    expect(why(unprinted({ state: 'canceled' }, { cancelledAt: '2026-11-20T10:00:03Z' }))).toBeNull();
    const accepted = { id: 'fo1', status: 'CANCELLED', requestStatus: 'CANCELLATION_ACCEPTED', location: 'service' };
    const givenUp = unprinted({ state: 'waiting' }, { fulfillmentOrders: [{ ...accepted, lines: [] }] });
    expect(why(givenUp, changed('cancellationRequested', {}))).toBeNull();
    expect(why(givenUp)).not.toBeNull();
  });
});
