import { expect, test } from 'vitest';
import { toEvent, type TrackedPart } from '../../../src/orders/store-view/to-event.ts';

const made = (trackingCodes: string[], sentEvents: string[] = []) => ({ printOrderId: '1', trackingCodes, sentEvents });
const part = (trackingCode: string, status: string | null): TrackedPart => ({
  printOrderId: '1',
  trackingCode,
  status,
});

test('a fulfillment counts as in transit if any part with one of its tracking codes is in transit', () => {
  const parts = [part('A', 'in_transit'), part('B', 'shipped')];
  expect(toEvent(made(['A']), parts)).toBe('IN_TRANSIT');
  expect(toEvent(made(['A', 'B']), parts)).toBe('IN_TRANSIT');
  expect(toEvent(made(['B']), parts)).toBeNull();
});

test('a fulfillment counts as delivered once all parts with its tracking codes are delivered', () => {
  const parts = [part('A', 'delivered'), part('B', 'in_transit')];
  expect(toEvent(made(['A']), parts)).toBe('DELIVERED');
  expect(toEvent(made(['A', 'B']), parts)).toBe('IN_TRANSIT');
  expect(toEvent(made(['A', 'B']), [part('A', 'delivered'), part('B', 'delivered')])).toBe('DELIVERED');
});

test('a fulfillment event is neither sent twice nor sent after a later event', () => {
  expect(toEvent(made(['A'], ['IN_TRANSIT']), [part('A', 'in_transit')])).toBeNull();
  expect(toEvent(made(['A'], ['IN_TRANSIT']), [part('A', 'delivered')])).toBe('DELIVERED');
  expect(toEvent(made(['A'], ['DELIVERED']), [part('A', 'in_transit')])).toBeNull();
});

test.each(['created', 'printed', 'shipped', 'returned', 'canceled', 'something_new', null])(
  'the status %s creates no fulfillment event',
  (status) => {
    expect(toEvent(made(['A']), [part('A', status)])).toBeNull();
  },
);
