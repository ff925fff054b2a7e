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
    ['one store product', [claim('connected')], 'connected', null],
    ['one that is not connected', [claim('not_connected')], 'not_connected', 'not_connected_at_service'],
    ['one that is ignored', [claim('ignored')], 'ignored', null],
    ['two, of which one is connected', [claim('not_connected'), claim('connected')], 'connected', null],
    ['two, of which one is ignored', [claim('not_connected'), claim('ignored')], 'ignored', null],
    ['a deleted one', [claim('connected', { isDeleted: true })], 'not_connected', 'deleted_at_service'],
    [
      'one that has the variant no more',
      [claim('connected', { isRemoved: true })],
      'not_connected',
      'removed_at_service',
    ],
    [
      'one of the present key, whatever was read with another',
      [claim('connected', { isOfOtherKey: true }), claim('ignored')],
      'ignored',
      null,
    ],
    ['one of another key alone', [claim('connected', { isOfOtherKey: true })], 'connected', null],
    [
      'a deleted one beside one that lives',
      [claim('connected', { isDeleted: true }), claim('ignored')],
      'ignored',
      null,
    ],
  ])('by %s', (_title, claims, status, reason) => {
    expect(decideConnection(claims, HERE)).toMatchObject({ status, reason });
  });

  test.each([
    ['nobody speaks of it', []],
    ['the word is new', [claim('paused')]],
    ['there is no word', [claim(null)]],
  ])('stands as it is when %s', (_title, claims) => {
    expect(decideConnection(claims, HERE)).toBeNull();
  });

  test('ends when the store product that spoke of it has let go of it', () => {
    const known = { ...HERE, storeProductId: 'one' };
    expect(decideConnection([], known)).toEqual({
      status: 'not_connected',
      storeProductId: 'one',
      reason: 'removed_at_service',
    });
  });

  test('of a variant with a print link alone goes on when the store shows it again', () => {
    const gone = { ...HERE, reason: 'deleted_in_store' };
    expect(decideConnection([], { ...gone, isGone: true })).toMatchObject({ status: 'not_connected' });
    expect(decideConnection([], gone)).toEqual({ status: 'connected', storeProductId: null, reason: null });
    expect(decideConnection([claim('ignored')], gone)).toMatchObject({ status: 'ignored', reason: null });
  });

  test('ends when the store has the variant no more, whatever the service says', () => {
    expect(decideConnection([claim('connected')], { ...HERE, isGone: true })).toMatchObject({
      status: 'not_connected',
      reason: 'deleted_in_store',
    });
  });
});

test('in whatever order store products were read, a variant is connected the same', () => {
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

test('every reason is told with what to do, and one that is new as well', () => {
  for (const reason of ['deleted_in_store', 'deleted_at_service', 'removed_at_service', 'toString', null])
    expect(describeReason(reason)).toMatch(/\. .+\.$/);
});
