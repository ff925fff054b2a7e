import { expect, test } from 'vitest';
import type { Hold } from '../../../src/database/entities/orders.ts';
import type { Package } from '../../../src/database/entities/packages.ts';
import type { PrintOrder } from '../../../src/database/entities/print-orders.ts';
import { toDueTriggers } from '../../../src/orders/store-view/to-due-triggers.ts';
import type { StoreView } from '../../../src/orders/store-view/store-view.ts';
import { remedyOf } from '../../../src/orders/facts/hold-codes.ts';

const BEFORE = new Date('2026-11-01T00:00:00Z');
const SINCE = new Date('2026-11-02T00:00:00Z');
const AFTER = new Date('2026-11-03T00:00:00Z');
const ALL = ['print-order-needs-attention', 'print-order-sent', 'package-shipped', 'print-order-refused'];

const uses = (ids: readonly string[], since: Date | null = SINCE) =>
  Object.fromEntries(ids.map((id) => [id, { at: SINCE.toISOString(), since: since && since.toISOString() }]));

interface Given {
  used?: Record<string, { at: string; since: string | null }>;
  written?: string[];
  redactedAt?: Date;
  prints?: Partial<PrintOrder>[];
  holds?: Partial<Hold>[];
  packages?: Partial<Package>[];
}

/** Builds the parts of an order's view that the triggers depend on. */
function view({
  used = uses(ALL),
  written = [],
  redactedAt,
  prints = [],
  holds = [],
  packages = [],
}: Given): StoreView {
  return {
    shop: { flowTriggers: used },
    storefrontOrder: {
      shopifyOrderId: 'gid://shopify/Order/5001',
      redactedAt: redactedAt ?? null,
      written: { flow: written },
    },
    printOrders: prints.map((one) => ({ id: '1', reference: 'pl-1', confirmedAt: null, fencedAt: null, ...one })),
    holds: holds.map((one) => ({
      id: '9',
      printOrderId: null,
      code: 'no_address',
      message: 'There is no address.',
      createdAt: AFTER,
      ...one,
    })),
    packages: packages.map((one) => ({
      id: '4',
      printOrderId: '1',
      trackingCode: 'T-1',
      trackingUrl: 'https://track.example/T-1',
      confirmedAt: AFTER,
      ...one,
    })),
  } as unknown as StoreView;
}

const sent: Given = { prints: [{ confirmedAt: AFTER }] };

test('a held order starts the attention trigger with the message and the remedy', () => {
  expect(toDueTriggers(view({ holds: [{ message: 'There is\nno address.' }] }))).toEqual([
    {
      handle: 'print-order-needs-attention',
      causes: ['held:9'],
      payload: {
        order_id: 5001,
        Message: 'There is no address.',
        Remedy: remedyOf('no_address'),
        'Print order reference': '',
      },
    },
  ]);
});

test('a refused print order starts its own trigger and the attention trigger', () => {
  const refused = { code: 'create_refused', printOrderId: '1', message: 'The service refuses it.' };
  const due = toDueTriggers(view({ prints: [{}], holds: [refused] }));
  expect(due.map(({ handle, causes }) => [handle, causes])).toEqual([
    ['print-order-refused', ['refused:9']],
    ['print-order-needs-attention', ['held:9']],
  ]);
  expect(due[0]?.payload).toMatchObject({ Message: 'The service refuses it.', 'Print order reference': 'pl-1' });
});

test('a trigger is never sent twice', () => {
  const holds = [{ code: 'create_refused', printOrderId: '1' }];
  const everything = { ...sent, packages: [{}], holds };
  const causes = toDueTriggers(view(everything)).flatMap((one) => one.causes);
  expect(causes).toHaveLength(4);
  expect(toDueTriggers(view({ ...everything, written: causes }))).toEqual([]);
});

test.each([
  ['a shop without a workflow', { used: {} }],
  ['a workflow that was disabled', { used: uses(ALL, null) }],
  ['a workflow with another trigger', { used: uses(['package-shipped']) }],
  ['a print order that was sent before the workflow was enabled', { prints: [{ confirmedAt: BEFORE }] }],
  ['a print order with no order or draft at the print service', { prints: [{ confirmedAt: AFTER, fencedAt: AFTER }] }],
  ['an order whose customer data was erased', { redactedAt: AFTER }],
])('%s starts no trigger', (_title, change) => {
  expect(toDueTriggers(view({ ...sent, ...change }))).toEqual([]);
});
