import { expect, test } from 'vitest';
import { toEvent, type TrackedPart } from '../../../src/orders/store-view/to-event.ts';

const made = (trackingCodes: string[], toldEvents: string[] = []) => ({ printOrderId: '1', trackingCodes, toldEvents });
const part = (trackingCode: string, status: string | null): TrackedPart => ({
  printOrderId: '1',
  trackingCode,
  status,
});

test('a fulfilment is on its way when a part whose code it bears is', () => {
  const parts = [part('A', 'in_transit'), part('B', 'shipped')];
  expect(toEvent(made(['A']), parts)).toBe('IN_TRANSIT');
  expect(toEvent(made(['A', 'B']), parts)).toBe('IN_TRANSIT');
  expect(toEvent(made(['B']), parts)).toBeNull();
});

test('it is delivered when all of these parts are', () => {
  const parts = [part('A', 'delivered'), part('B', 'in_transit')];
  expect(toEvent(made(['A']), parts)).toBe('DELIVERED');
  expect(toEvent(made(['A', 'B']), parts)).toBe('IN_TRANSIT');
  expect(toEvent(made(['A', 'B']), [part('A', 'delivered'), part('B', 'delivered')])).toBe('DELIVERED');
});

test('what was told is not told again, nor what comes before it', () => {
  expect(toEvent(made(['A'], ['IN_TRANSIT']), [part('A', 'in_transit')])).toBeNull();
  expect(toEvent(made(['A'], ['IN_TRANSIT']), [part('A', 'delivered')])).toBe('DELIVERED');
  expect(toEvent(made(['A'], ['DELIVERED']), [part('A', 'in_transit')])).toBeNull();
});

test.each(['created', 'printed', 'shipped', 'returned', 'canceled', 'something_new', null])(
  'a status of %s is no event of ours',
  (status) => {
    expect(toEvent(made(['A']), [part('A', status)])).toBeNull();
  },
);

test('codes of another print order, or of none, tell nothing', () => {
  expect(toEvent(made(['A']), [{ ...part('A', 'delivered'), printOrderId: '2' }])).toBeNull();
  expect(toEvent(made([]), [part('A', 'delivered')])).toBeNull();
});
