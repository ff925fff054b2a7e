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

describe('books without findings', () => {
  test('an order that is printed and shipped in two packages produces no finding', () => {
    expect(check(books())).toMatchObject({ printed: 1, held: 0, heldByRestore: 0, findings: [], holds: [] });
  });

  test('an order that is printed in connected parts under one reference produces no finding', () => {
    const connectedOrderIds = ['p1', 'p2'];
    const one = printRecord({ 'MUG-11OZ': 2 }, { connectedOrderIds });
    const two = printRecord({ CARDS: 1 }, { id: 'p2', connectedOrderIds });
    const cards = fulfillment('f2', { CARDS: 1 }, ['p2-code-0']);
    expect(check(books([one, two], [storeRecord({ fulfillments: [MUGS, cards] })])).findings).toEqual([]);
  });

  test('canceled and deleted print orders in addition to the printed one produce no finding', () => {
    const canceled = printRecord(WANTS, { id: 'p0', fulfillmentStatus: 'canceled' });
    const deleted = printRecord(WANTS, { id: 'p2', orderType: 'draft', fulfillmentStatus: 'draft', deleted: true });
    expect(check(books([canceled, printRecord(), deleted])).findings).toEqual([]);
  });

  test('an order whose tracking codes share one fulfillment produces no finding', () => {
    const both = fulfillment('f1', WANTS, ['p1-code-0', 'p1-code-1']);
    expect(check(books(undefined, [storeRecord({ fulfillments: [both] })])).findings).toEqual([]);
  });

  test('an order whose added line is printed under a second reference produces no finding', () => {
    const more = printRecord({ CARDS: 1 }, { id: 'p2', orderReferenceId: 'plabcd-1001-2-bbbbbbbbbbbb' });
    const again = fulfillment('f3', { CARDS: 1 }, ['p2-code-0']);
    const order = changed('edited', { ...WANTS, CARDS: 2 });
    const { findings } = check(
      books([printRecord(), more], [storeRecord({ fulfillments: [MUGS, CARDS, again] })]),
      order,
    );
    expect(findings).toEqual([]);
  });

  test('an order that was canceled before it was sent produces no finding', () => {
    const held = unprinted({ state: 'canceled' }, { cancelledAt: '2026-11-20T10:00:03Z' });
    expect(check(held, changed('canceled', {}))).toMatchObject({ findings: [], printed: 0, held: 0 });
  });

  test('an order that was canceled too late produces no finding if a hold reports the cancellation', () => {
    const held = books(undefined, [storeRecord({ cancelledAt: '2026-11-20T10:00:03Z', fulfillments: [] })], {
      state: 'canceled',
      holds: ['cannot_cancel'],
    });
    expect(check(held, changed('canceled', {}))).toMatchObject({ findings: [], held: 0, printed: 0 });
  });

  test('an order that was changed after it was sent produces no finding if a hold reports the change', () => {
    const held = books(undefined, undefined, { state: 'held', holds: ['changed_after_submit'] });
    expect(check(held, changed('edited', { 'MUG-11OZ': 1, CARDS: 1 }))).toMatchObject({ findings: [], held: 0 });
  });

  test('a unit that was refunded after it was delivered produces no finding', () => {
    expect(check(books(), changed('refunded', { 'MUG-11OZ': 1, CARDS: 1 })).findings).toEqual([]);
  });

  test('an order whose fulfillment was canceled in time or too late produces no finding', () => {
    const accepted = { id: 'fo1', status: 'CANCELLED', requestStatus: 'CANCELLATION_ACCEPTED', location: 'service' };
    const held = unprinted({ state: 'waiting' }, { fulfillmentOrders: [{ ...accepted, lines: [] }] });
    expect(check(held, changed('cancellationRequested', {})).findings).toEqual([]);
    expect(check(books(), changed('cancellationRequested', {})).findings).toEqual([]);
  });
});

describe('books with findings', () => {
  test('two live orders with the same reference that are not connected are reported as duplicates', () => {
    expect(kindsIn(books([printRecord(), printRecord(WANTS, { id: 'p2' })]))).toContain('duplicates');
    const { duplicates, findings, printed } = check(books([printRecord(), printRecord({}, { id: 'p2' })]));
    expect({ duplicates, printed }).toEqual({ duplicates: 1, printed: 0 });
    expect(findings[0]?.evidence).toContain('p1 (shipped, made 10:00:05)');
  });

  test('a unit that is printed twice under two references is reported as a duplicate', () => {
    const again = printRecord({ CARDS: 1 }, { id: 'p2', orderReferenceId: 'plabcd-1001-2-bbbbbbbbbbbb' });
    expect(check(books([printRecord(), again])).duplicates).toBe(1);
  });

  test('a duplicate of a held order is reported', () => {
    const twins = [printRecord(), printRecord({}, { id: 'p2' })];
    expect(check(books(twins, undefined, { state: 'held', holds: ['several_orders'] })).duplicates).toBe(1);
  });

  test('a print order for an unknown buyer is reported as a duplicate', () => {
    const stranger = printRecord(WANTS, { id: 'p2', shippingAddress: { lastName: 'Somebody' } });
    expect(kindsIn(books([printRecord(), stranger]))).toEqual(['duplicates']);
  });

  test('an order that is not printed is reported as lost', () => {
    for (const state of ['fulfilled', 'printing', 'nothing_to_do'] as const) {
      expect(kindsIn(unprinted({ state }))).toEqual(['lost']);
    }
    const canceled = printRecord(WANTS, { fulfillmentStatus: 'canceled' });
    expect(kindsIn(books([canceled], [storeRecord({ fulfillments: [] })]))).toEqual(['lost']);
    expect(kindsIn({ ...unprinted({ state: 'waiting' }), listed: new Map() })).toEqual(['lost']);
  });

  test('a line with too few or too many units is reported', () => {
    const few = [storeRecord({ fulfillments: [fulfillment('f1', { 'MUG-11OZ': 1 }, ['p1-code-0']), CARDS] })];
    expect(kindsIn(books([printRecord({ 'MUG-11OZ': 1, CARDS: 1 })], few))).toEqual(['wrongLines']);
    expect(kindsIn(books([printRecord({ 'MUG-11OZ': 3, CARDS: 1 })]))).toContain('wrongLines');
  });

  test('an unprinted line next to a printed one is reported', () => {
    const some = storeRecord({ fulfillments: [MUGS] });
    expect(kindsIn(books([printRecord({ 'MUG-11OZ': 2 })], [some]))).toEqual(['wrongLines']);
  });

  test('a wrong product, a wrong file, an item without a line and a wrong label are reported', () => {
    const { items } = printRecord();
    const withItem = (change: Partial<PrintRecord['items'][number]>) =>
      books([printRecord(WANTS, { items: [{ ...items[0]!, ...change }, items[1]!] })]);
    expect(check(withItem({ productUid: items[1]!.productUid })).wrongLines).toBe(1);
    expect(check(withItem({ fileUrl: fileUrlOf('chaos-2.myshopify.com', 'MUG-11OZ') })).wrongLines).toBe(1);
    expect(kindsIn(withItem({ itemReferenceId: '77' }))).toContain('wrongLines');
    const metadata = [
      { key: 'shop', value: SHOP },
      { key: 'order', value: '#1002' },
    ];
    expect(kindsIn(books([printRecord(WANTS, { metadata })]))).toEqual(['wrongLines']);
  });

  test('an order that was printed without an earlier change is reported if no hold reports the difference', () => {
    const some = [storeRecord({ fulfillments: [fulfillment('f1', { 'MUG-11OZ': 1 }, ['p1-code-0']), CARDS] })];
    const order = changed('edited', { 'MUG-11OZ': 1, CARDS: 1 });
    expect(kindsIn(books(undefined, some), order)).toEqual([]);
    const late = printRecord(WANTS, { orderedAt: '2026-11-20T10:01:03+00:00' });
    expect(kindsIn(books([late], some), order)).toEqual(['wrongLines']);
    expect(kindsIn(books(undefined, some, { state: 'printing' }), order)).toEqual(['wrongLines']);
  });

  test('a live print order of a canceled order is reported if no hold reports the print order', () => {
    const cancelled = storeRecord({ cancelledAt: '2026-11-20T10:00:03Z', fulfillments: [] });
    const held = books(undefined, [cancelled], { state: 'canceled' });
    expect(kindsIn(held, changed('canceled', {}))).toEqual(['wrongLines']);
  });

  test('a print order that exists after its cancellation request was accepted is reported', () => {
    const accepted = { id: 'fo1', status: 'CANCELLED', requestStatus: 'CANCELLATION_ACCEPTED', location: 'service' };
    const record = storeRecord({ fulfillments: [], fulfillmentOrders: [{ ...accepted, lines: [] }] });
    const held = books(undefined, [record], { state: 'waiting' });
    expect(kindsIn(held, changed('cancellationRequested', {}))).toEqual(['wrongLines']);
  });

  test('a missing, unknown or misassigned tracking code is reported', () => {
    const shown = (...fulfillments: StoreRecord['fulfillments']) =>
      kindsIn(books(undefined, [storeRecord({ fulfillments })]));
    expect(
      shown(fulfillment('f1', { 'MUG-11OZ': 2 }, ['p1-code-1']), fulfillment('f2', { CARDS: 1 }, ['p1-code-0'])),
    ).toEqual(['wrongTracking']);
    expect(shown(fulfillment('f1', { 'MUG-11OZ': 2, VASE: 1 }, ['p1-code-0']), CARDS)).toContain('wrongTracking');
    expect(shown(fulfillment('f1', { 'MUG-11OZ': 2 }, ['p1-code-0', 'X']), CARDS)).toEqual(['wrongTracking']);
    expect(shown(fulfillment('f1', { 'MUG-11OZ': 2 }, []), CARDS)).toEqual(['wrongTracking']);
    expect(shown(MUGS)).toEqual(['wrongTracking']);
  });

  test('a line that is fulfilled twice is reported', () => {
    const again = fulfillment('f3', { CARDS: 1 }, ['p1-code-1'], 0);
    const fulfillments = [MUGS, CARDS, again];
    expect(kindsIn(books(undefined, [storeRecord({ fulfillments })]))).toEqual(['doubledFulfillments']);
  });

  test('a tracking code in two fulfillments is reported, along with the emails of both fulfillments', () => {
    const halves = [1, 2].map((half) => fulfillment(`h${half}`, { 'MUG-11OZ': 1 }, ['p1-code-0']));
    const kinds = kindsIn(books(undefined, [storeRecord({ fulfillments: [...halves, CARDS] })]));
    expect(kinds).toContain('doubledFulfillments');
    expect(kinds).toContain('doubleNotifications');
  });

  test('two emails for one fulfillment are reported', () => {
    const twice = fulfillment('f1', { 'MUG-11OZ': 2 }, ['p1-code-0'], 2);
    expect(kindsIn(books(undefined, [storeRecord({ fulfillments: [twice, CARDS] })]))).toEqual(['doubleNotifications']);
  });

  test('a spare draft is reported, but the draft of a held order is not', () => {
    const draft = printRecord(WANTS, { id: 'd1', orderType: 'draft', fulfillmentStatus: 'draft' });
    expect(kindsIn(books([printRecord(), draft]))).toEqual(['spareDrafts']);
    const store = [storeRecord({ fulfillments: [] })];
    const held = { state: 'held', holds: ['confirm_refused'] } as const;
    expect(kindsIn(books([draft], store, { ...held, holds: [...held.holds], serviceOrderIds: ['d1'] }))).toEqual([]);
    expect(kindsIn(books([draft], store, { ...held, holds: [...held.holds] }))).toEqual(['spareDrafts']);
  });
});

describe('holds in the books', () => {
  const held = unprinted({ state: 'held', holds: ['outcome_unknown'] });

  test('an unplanned hold is counted by submit mode', () => {
    expect(check(held)).toMatchObject({ held: 1, heldOnDraftWay: 1, heldByRestore: 0, lost: 0, printed: 0 });
    expect(check(held, placed({ submit: 'direct' }))).toMatchObject({ held: 1, heldOnDraftWay: 0 });
    expect(check(held).holds[0]).toContain('outcome_unknown');
  });

  test('a hold counts as unplanned if its code does not match the change to the order', () => {
    expect(check(held, changed('edited', WANTS))).toMatchObject({ held: 1 });
  });

  test("a hold counts as unplanned if the order was not changed, regardless of the hold's code", () => {
    expect(check(books(undefined, undefined, { state: 'held', holds: ['changed_after_submit'] }))).toMatchObject({
      held: 1,
    });
  });

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
