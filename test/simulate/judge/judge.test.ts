import { expect, test } from 'vitest';
import {
  findForeignEstimates,
  findForgottenAttempts,
  findForgottenWebhooks,
  findRefusedEvent,
  recordAnswer,
} from './find-forgotten.ts';
import { judgePrinting, judgeAtRest } from './judge.ts';
import { openLedger } from './ledger.ts';
import type { Books, PrintRecord, StoreView } from './read-books.ts';
import { createPlace } from '../world/place.ts';

const AT = Date.parse('2026-11-20T10:00:00Z');
const LINE = 'gid://shopify/LineItem/901';

/** Returns an order of two mugs in the store, of which `remaining` are left to fulfill. */
function inStore(remaining: number, change: Partial<StoreView> = {}): StoreView {
  const fulfillmentOrder = {
    id: 'gid://shopify/FulfillmentOrder/1',
    status: remaining > 0 ? 'IN_PROGRESS' : 'CLOSED',
    requestStatus: 'ACCEPTED',
    location: 'service',
    lines: [{ id: LINE, remaining }],
  };
  return {
    id: 'gid://shopify/Order/1',
    name: '#1001',
    shop: 'demo.myshopify.com',
    lines: [{ id: LINE, sku: 'MUG-11OZ', quantity: 2 }],
    fulfillments: [],
    fulfillmentOrders: [fulfillmentOrder],
    cancelledAt: null,
    ...change,
  };
}

const fulfilled = (change: Partial<StoreView['fulfillments'][number]> = {}) => ({
  id: 'gid://shopify/Fulfillment/1',
  lines: [{ id: LINE, sku: 'MUG-11OZ', quantity: 2 }],
  trackingCodes: ['CODE1'],
  notifications: 1,
  ...change,
});

function print(quantity: number, change: Partial<PrintRecord> = {}): PrintRecord {
  const fulfillmentStatus = change.fulfillmentStatus ?? 'created';
  const item = { id: 'i1', itemReferenceId: '901', productUid: 'mug', fileUrl: null, quantity, fulfillmentStatus };
  const packages = fulfillmentStatus === 'shipped' ? [{ orderItemIds: ['i1'], trackingCode: 'CODE1' }] : [];
  return {
    id: 'p1',
    orderReferenceId: 'pl-1001-1',
    orderType: 'order',
    fulfillmentStatus,
    createdAt: '2026-11-20T10:00:01+00:00',
    orderedAt: '2026-11-20T10:00:02+00:00',
    connectedOrderIds: [],
    items: [item],
    metadata: [],
    shippingAddress: { lastName: 'Buyer' },
    shipment: { packages },
    ...change,
  };
}

const WAIT = { reference: null, message: 'The order waits.', nextAt: '2026-11-20T10:05:00.000Z' };

function shown(state: string, change: object = {}): Books['shown'] {
  const waits = ['printing', 'waiting'].includes(state) ? [WAIT] : [];
  return {
    state,
    holds: [],
    reason: null,
    waits,
    timeline: [],
    printOrders: [],
    ...change,
  } as unknown as Books['shown'];
}

const books = (store: StoreView, printed: PrintRecord[], shownByApp: Books['shown'], at = AT): Books => ({
  at,
  store,
  printed,
  showsItems: true,
  shown: shownByApp,
});
const rulesAtRest = (one: Books, ledger = openLedger()) => judgeAtRest(one, ledger).map(({ rule }) => rule);
const HELD = { holds: [{ code: 'service_failed' }] };

test('an order that is printed, shipped and fulfilled once has no findings', () => {
  const printing = books(inStore(2), [print(2)], shown('printing'));
  const done = books(
    inStore(0, { fulfillments: [fulfilled()] }),
    [print(2, { fulfillmentStatus: 'shipped' })],
    shown('fulfilled'),
  );
  expect(judgePrinting([], printing, openLedger())).toEqual([]);
  expect(judgePrinting([printing], done, openLedger())).toEqual([]);
  expect(rulesAtRest(printing)).toEqual([]);
  expect(rulesAtRest(done)).toEqual([]);
});

test('units that are printed in excess of the quantity in the store are reported, even if the order is held', () => {
  const before = books(inStore(2), [print(2)], shown('printing'));
  const twice = [print(2), print(1, { id: 'p2', orderReferenceId: 'pl-1001-2' })];
  const after = books(inStore(2), twice, shown('held', HELD), AT + 60_000);
  expect(judgePrinting([before], after, openLedger())).toMatchObject([{ rule: 'overprinted' }]);
});

test('units printed before Platen holds the order in the store are not reported, but units printed while someone else holds it are', () => {
  const heldBy = (handle: string | null) => {
    const store = inStore(2);
    return {
      ...store,
      fulfillmentOrders: store.fulfillmentOrders.map((one) => ({ ...one, status: 'ON_HOLD', holds: [{ handle }] })),
    };
  };
  expect(judgePrinting([], books(heldBy('platen'), [print(2)], shown('held', HELD)), openLedger())).toEqual([]);
  const byOthers = books(heldBy(null), [print(2)], shown('held', HELD));
  expect(judgePrinting([], byOthers, openLedger())).toMatchObject([{ rule: 'overprinted' }]);
});

test('a unit printed a minute after its removal is reported, but a unit printed seconds after its removal is not', () => {
  const wanted = books(inStore(2), [], shown('waiting', { reason: { code: 'delay' } }));
  const less = books(inStore(1), [], shown('waiting', { reason: { code: 'delay' } }), AT + 60_000);
  const printed = books(inStore(1), [print(2)], shown('printing'), AT + 120_000);
  expect(judgePrinting([wanted, less], printed, openLedger())).toMatchObject([{ rule: 'overprinted' }]);
  const changedLate = books(inStore(1), [print(2)], shown('held', HELD), AT + 10_000);
  expect(judgePrinting([wanted], changedLate, openLedger())).toEqual([]);
});

test('a reprint that a person requested is not reported', () => {
  const ledger = openLedger();
  ledger.reprints.set('901', 2);
  const shipped = print(2, { fulfillmentStatus: 'shipped' });
  const before = books(inStore(0, { fulfillments: [fulfilled()] }), [shipped], shown('fulfilled'));
  const again = print(2, { id: 'p2', orderReferenceId: 'pl-1001-2' });
  const after = { ...before, printed: [shipped, again] };
  expect(judgePrinting([before], after, openLedger())).toMatchObject([{ rule: 'overprinted' }]);
  expect(judgePrinting([before], after, ledger)).toEqual([]);
});

test('an order with a requested reprint may remain open until the reprint ships', () => {
  const ledger = openLedger();
  ledger.reprints.set('901', 2);
  const shipped = print(2, { fulfillmentStatus: 'shipped' });
  const rulesOf = (fulfillmentStatus: string): string[] => {
    const again = print(2, { id: 'p2', orderReferenceId: 'pl-1001-2', fulfillmentStatus });
    return rulesAtRest(books(inStore(2), [shipped, again], shown('printing')), ledger);
  };
  expect(rulesOf('created')).toEqual([]);
  expect(rulesOf('shipped')).toEqual(['silent']);
});

test('two print orders with the same reference are reported', () => {
  expect(rulesAtRest(books(inStore(2), [print(1), print(1, { id: 'p2' })], shown('printing')))).toEqual(['twins']);
});

test.each([
  ['is not printed', inStore(2), [], 'waiting'],
  ['is partly printed', inStore(2), [print(1)], 'printing'],
  ['has shipped but is not fulfilled', inStore(2), [print(2, { fulfillmentStatus: 'shipped' })], 'printing'],
  ['failed', inStore(2), [print(2, { fulfillmentStatus: 'failed' })], 'waiting'],
])('an order that %s is reported unless it is held', (_, store, printed, state) => {
  expect(rulesAtRest(books(store, printed, shown(state)))).toContain('silent');
  expect(rulesAtRest(books(store, printed, shown('held', HELD)))).toEqual([]);
});

test("an item that ships before its order's status changes is not reported if the service's responses do not show items", () => {
  const one = print(2);
  const ahead = { ...one, items: one.items.map((item) => ({ ...item, fulfillmentStatus: 'shipped' })) };
  const seen = books(inStore(2), [ahead], shown('printing'));
  expect(rulesAtRest(seen)).toEqual(['silent']);
  expect(rulesAtRest({ ...seen, showsItems: false })).toEqual([]);
  const shipped = books(inStore(2), [print(2, { fulfillmentStatus: 'shipped' })], shown('printing'));
  expect(rulesAtRest({ ...shipped, showsItems: false })).toEqual(['silent']);
});

test('a waiting order is reported unless it has a reason and a retry time', () => {
  const on = (change: object) => rulesAtRest(books(inStore(2), [], shown('waiting', change)));
  const reason = { code: 'on_hold' };
  expect(on({ reason })).toEqual([]);
  expect(on({ reason, waits: [{ ...WAIT, nextAt: null }] })).toEqual(['silent']);
  expect(on({ reason, waits: [] })).toEqual(['silent']);
});

test('"nothing_to_do" is valid only if the units were removed from the order', () => {
  const on = (code: string) => rulesAtRest(books(inStore(2), [], shown('nothing_to_do', { reason: { code } })));
  expect(on('canceled_by_hand')).toEqual([]);
  expect(on('no_line_of_ours')).toEqual(['silent']);
});

test('an order that is missing from Platen is reported', () => {
  expect(rulesAtRest(books(inStore(2), [], null))).toEqual(['silent']);
});

test('units that were printed after their removal from the order are reported unless the order was held', () => {
  const printed = [print(2)];
  expect(rulesAtRest(books(inStore(1), printed, shown('printing')))).toEqual(['untold']);
  const timeline = [{ kind: 'held', message: 'The print order differs from the order.' }];
  expect(rulesAtRest(books(inStore(1), printed, shown('printing', { timeline })))).toEqual([]);
  // Such a hold also says that the units were printed.
  const canceled = [{ kind: 'held', message: 'The fulfillment of pl-1001-1 was canceled in the store.' }];
  expect(rulesAtRest(books(inStore(1), printed, shown('printing', { timeline: canceled })))).toEqual([]);
});

test('units that the merchant fulfilled while steps overlapped do not count as removed', () => {
  const byHand = fulfilled({ id: 'gid://shopify/Fulfillment/9' });
  const seen = books(inStore(0, { fulfillments: [byHand] }), [print(2)], shown('fulfilled'));
  const rulesOf = (overlaps: boolean): string[] => {
    const ledger = openLedger({ overlaps });
    ledger.byHand.add(byHand.id);
    return judgeAtRest(seen, ledger).map(({ rule }) => rule);
  };
  expect(rulesOf(true)).not.toContain('untold');
  expect(rulesOf(false)).toContain('untold');
});

test('units removed after every unit was shipped and fulfilled need no hold', () => {
  const part = fulfilled({ lines: [{ id: LINE, sku: 'MUG-11OZ', quantity: 1 }] });
  const shipped = [print(2, { fulfillmentStatus: 'shipped' })];
  expect(rulesAtRest(books(inStore(0, { fulfillments: [part] }), shipped, shown('fulfilled')))).toEqual([]);
  expect(rulesAtRest(books(inStore(0), shipped, shown('nothing_to_do')))).toContain('untold');
});

test('a second email, no email, a code without a package and a code in two fulfillments are each reported', () => {
  const shipped = [print(2, { fulfillmentStatus: 'shipped' })];
  const of = (...fulfillments: StoreView['fulfillments']) =>
    rulesAtRest(books(inStore(0, { fulfillments }), shipped, shown('fulfilled')));
  expect(of(fulfilled({ notifications: 2 }))).toEqual(['mails']);
  expect(of(fulfilled({ notifications: 0 }))).toEqual(['mails']);
  expect(of(fulfilled({ trackingCodes: ['OTHER'] }))).toEqual(['codes']);
  expect(of(fulfilled(), fulfilled({ id: 'gid://shopify/Fulfillment/2' }))).toEqual(['codes']);
});

test('one package whose units the store split into two fulfillments is not reported', () => {
  const lines = [{ id: LINE, sku: 'MUG-11OZ', quantity: 1 }];
  const fulfillments = [fulfilled({ lines }), fulfilled({ lines, id: 'gid://shopify/Fulfillment/2' })];
  const shipped = [print(2, { fulfillmentStatus: 'shipped' })];
  expect(rulesAtRest(books(inStore(0, { fulfillments }), shipped, shown('fulfilled')))).toEqual([]);
});

test('shipped units without a fulfillment are reported unless the merchant holds or has closed their fulfillment', () => {
  const shipped = [print(2, { fulfillmentStatus: 'shipped' })];
  const rulesOf = (status: string, change: object, closed = false) => {
    const store = inStore(2);
    Object.assign(store.fulfillmentOrders[0] ?? {}, { status, ...change });
    const ledger = { ...openLedger(), closed };
    return judgeAtRest(books(store, shipped, shown('printing')), ledger).map(({ rule }) => rule);
  };
  expect(rulesOf('IN_PROGRESS', {})).toEqual(['silent']);
  expect(rulesOf('ON_HOLD', { holds: [{ handle: 'platen' }] })).toEqual(['silent']);
  expect(rulesOf('ON_HOLD', { holds: [{ handle: null }] })).toEqual([]);
  expect(rulesOf('INCOMPLETE', {})).toEqual(['silent']);
  expect(rulesOf('INCOMPLETE', {}, true)).not.toContain('silent');
});

test('a fulfillment with an outdated tracking code is not reported if no call shows the corrected code', () => {
  const shipped = [print(2, { fulfillmentStatus: 'shipped' })];
  const store = inStore(0, { fulfillments: [fulfilled({ trackingCodes: ['CODE1', 'OLD'] })] });
  const ledger = openLedger();
  const rules = () => judgeAtRest(books(store, shipped, shown('fulfilled')), ledger).map(({ rule }) => rule);
  expect(rules()).toEqual(['codes']);
  ledger.hiddenCorrections.add('OLD');
  expect(rules()).toEqual([]);
});

test('a spare draft is reported unless the order is held', () => {
  const draft = print(2, { id: 'd1', orderType: 'draft', fulfillmentStatus: 'draft' });
  expect(rulesAtRest(books(inStore(2), [print(2), draft], shown('printing')))).toEqual(['draft']);
  expect(rulesAtRest(books(inStore(2), [draft], shown('held', HELD)))).toEqual([]);
});

test.each([
  ['fulfilled', inStore(1), [print(2)]],
  ['printing', inStore(0), []],
  ['nothing_to_do', inStore(0, { cancelledAt: '2026-11-20T10:00:00Z' }), []],
  ['canceled', inStore(2), [print(2)]],
  ['held', inStore(2), [print(2)]],
  ['waiting', inStore(0), []],
])('an order whose state "%s" contradicts the records of the stand-ins is reported', (state, store, printed) => {
  expect(rulesAtRest(books(store, printed, shown(state)))).toContain('state');
});

test('a webhook that Platen answered with 200 is reported unless it is kept exactly once', () => {
  const answered = new Map<string, string>();
  const url = new URL('http://127.0.0.1:4000/webhooks/shopify');
  const headers = { 'x-shopify-webhook-id': 'w1', 'x-shopify-topic': 'orders/create' };
  const call = { from: createPlace('outside'), method: 'POST', url, headers, body: '{}' };
  const rulesOf = (count: number) =>
    findForgottenWebhooks(answered, {
      webhooks: new Map([['shopify w1', count]]),
      attempts: new Map(),
      chosen: new Set<string>(),
    }).map(({ rule }) => rule);
  recordAnswer(answered, call, 503);
  expect(rulesOf(0)).toEqual([]);
  recordAnswer(answered, call, 200);
  expect([rulesOf(0), rulesOf(1), rulesOf(2)]).toEqual([['lost'], [], ['repeated']]);
});

test('an event that a process refuses is reported if the process has accepted an event before', () => {
  const url = new URL('http://127.0.0.1:4000/webhooks/print/token');
  const [call, process] = [
    { from: createPlace('outside'), method: 'POST', url, headers: {}, body: '{}' },
    createPlace('p'),
  ];
  const knowing = new Set<ReturnType<typeof createPlace>>();
  const answer = (status: number) => findRefusedEvent(knowing, process, call, status).map(({ rule }) => rule);
  expect([answer(503), answer(200), answer(503)]).toEqual([[], [], ['refused']]);
});

test('a print order without a record of its attempt is reported', () => {
  const foundWith = (attempts: number) =>
    findForgottenAttempts([print(2)], {
      webhooks: new Map(),
      attempts: new Map([['pl-1001-1', attempts]]),
      chosen: new Set(),
    });
  expect(foundWith(0)).toMatchObject([{ rule: 'forgotten' }]);
  expect(foundWith(1)).toEqual([]);
});

test('a delivery estimate of a spare draft is reported, but an estimate of the chosen draft is not', () => {
  const day = '2026-12-24';
  const printOrders = [{ reference: 'pl-1001-1', delivery: { from: day, to: day } }];
  const seen = books(inStore(2), [print(2)], shown('printing', { printOrders }));
  const kept = (chosen: string[]) => ({ webhooks: new Map(), attempts: new Map(), chosen: new Set(chosen) });
  expect(findForeignEstimates(seen, new Map([[day, 'p2']]), kept(['p1']))).toMatchObject([{ rule: 'estimate' }]);
  expect(findForeignEstimates(seen, new Map([[day, 'p2']]), kept(['p2']))).toEqual([]);
});
