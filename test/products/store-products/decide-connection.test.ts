import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  decideConnection,
  describeReason,
  type Claim,
} from '../../../src/products/store-products/decide-connection.ts';

const claim = (status: string | null, change: Partial<Claim> = {}): Claim => ({
  storeProductId: `of ${status}`,
  status,
  isDeleted: false,
  isRemoved: false,
  isOfOtherKey: false,
  ...change,
});
const HERE = { isGone: false, storeProductId: null, reason: null };

describe('the connection of a variant', () => {
  test.each([
    ['one connected store product', [claim('connected')], 'connected', null],
    ['a store product that is not connected', [claim('not_connected')], 'not_connected', 'not_connected_at_service'],
    ['a store product that is ignored', [claim('ignored')], 'ignored', null],
    ['two store products, one of which is connected', [claim('not_connected'), claim('connected')], 'connected', null],
    ['two store products, one of which is ignored', [claim('not_connected'), claim('ignored')], 'ignored', null],
    ['a deleted store product', [claim('connected', { isDeleted: true })], 'not_connected', 'deleted_at_service'],
    [
      'a store product that no longer has the variant',
      [claim('connected', { isRemoved: true })],
      'not_connected',
      'removed_at_service',
    ],
    [
      'a store product that was read with the current key, regardless of those read with an earlier key',
      [claim('connected', { isOfOtherKey: true }), claim('ignored')],
      'ignored',
      null,
    ],
    [
      'a store product that was read with an earlier key if there is no other',
      [claim('connected', { isOfOtherKey: true })],
      'connected',
      null,
    ],
    [
      'an existing store product rather than a deleted one',
      [claim('connected', { isDeleted: true }), claim('ignored')],
      'ignored',
      null,
    ],
  ])('the connection of a variant is decided by %s', (_title, claims, status, reason) => {
    expect(decideConnection(claims, HERE)).toMatchObject({ status, reason });
  });

  test.each([
    ['no store product names it', []],
    ['the status is unknown', [claim('paused')]],
    ['there is no status', [claim(null)]],
  ])('the connection of a variant does not change if %s', (_title, claims) => {
    expect(decideConnection(claims, HERE)).toBeNull();
  });

  test('a connection for a variant with only a print link resumes when the store shows the variant again', () => {
    const gone = { ...HERE, reason: 'deleted_in_store' };
    expect(decideConnection([], { ...gone, isGone: true })).toMatchObject({ status: 'not_connected' });
    expect(decideConnection([], gone)).toEqual({ status: 'connected', storeProductId: null, reason: null });
    expect(decideConnection([claim('ignored')], gone)).toMatchObject({ status: 'ignored', reason: null });
  });

  test('a connection ends when the store no longer has the variant, regardless of what the service reports', () => {
    expect(decideConnection([claim('connected')], { ...HERE, isGone: true })).toMatchObject({
      status: 'not_connected',
      reason: 'deleted_in_store',
    });
  });
});

test('the order in which store products are read does not affect the connection', () => {
  const claims = fc.array(
    fc.record({
      storeProductId: fc.constantFrom('a', 'b', 'c'),
      status: fc.constantFrom('connected', 'not_connected', 'ignored', 'new', null),
      isDeleted: fc.boolean(),
      isRemoved: fc.boolean(),
      isOfOtherKey: fc.constant(false),
    }),
    { maxLength: 5 },
  );
  const shuffled = claims.chain((all) =>
    fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
  );
  fc.assert(
    fc.property(shuffled, fc.boolean(), ([all, other], isGone) => {
      const [one, two] = [all, other].map((each) => decideConnection(each, { ...HERE, isGone }));
      expect(one?.status).toBe(two?.status);
      const isConnected = all.some(
        ({ status, isDeleted, isRemoved }) => status === 'connected' && !isDeleted && !isRemoved,
      );
      expect(one?.status === 'connected').toBe(isConnected && !isGone);
    }),
  );
});

test('every reason, even an unknown reason, has a description with a remedy', () => {
  for (const reason of ['deleted_in_store', 'deleted_at_service', 'removed_at_service', 'toString', null])
    expect(describeReason(reason)).toMatch(/\. .+\.$/);
});
