import fc from 'fast-check';
import { expect, test } from 'vitest';
import { planOrder } from '../../../src/orders/plan/decide/plan-order.ts';
import type { PlanInput } from '../../../src/orders/plan/decide/plan.ts';
import { atMerchant, fulfillmentOrder, lineItem, planInput } from './plan-input.ts';

const LINE = 'a';
/** The number of rounds after which repeated plans no longer change anything. */
const ROUNDS = 8;

/** A print order that is sent, still replaceable or closed but not yet fenced. */
interface Print {
  home: string | null;
  quantity: number;
  is: 'unsent' | 'sent' | 'closed';
}

interface World {
  /** The units of the line left in each fulfillment order. Platen prints for all locations. */
  left: Map<string, number>;
  prints: Print[];
}

type News =
  | { kind: 'move'; from: number; units: number; into: number | null }
  | { kind: 'add'; to: number; units: number }
  | { kind: 'send'; which: number }
  | { kind: 'close'; which: number };

const news: fc.Arbitrary<News[]> = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constant('move' as const),
      from: fc.nat(9),
      units: fc.integer({ min: 1, max: 4 }),
      into: fc.option(fc.nat(9)),
    }),
    fc.record({ kind: fc.constant('add' as const), to: fc.nat(9), units: fc.integer({ min: 1, max: 3 }) }),
    fc.record({ kind: fc.constant('send' as const), which: fc.nat(9) }),
    // The fulfillment order no longer exists in the store, and its units are in a new fulfillment order.
    fc.record({ kind: fc.constant('close' as const), which: fc.nat(9) }),
  ),
  { maxLength: 10 },
);

const sum = (numbers: Iterable<number>): number => [...numbers].reduce((total, one) => total + one, 0);
const unitsOf = (prints: readonly Print[]): number => sum(prints.map(({ quantity }) => quantity));

function plan({ left, prints }: World): ReturnType<typeof planOrder> {
  const ordered = sum(left.values());
  const fulfillmentOrders = [...left].map(([id, units], index) =>
    fulfillmentOrder(id, { [LINE]: units }, index % 2 === 0 ? atMerchant : {}),
  );
  const lineItems = [lineItem(LINE, { currentQuantity: ordered })];
  const counted: PlanInput['prints'] = prints.map(({ home, quantity, is }) => ({
    shopifyLineItemId: LINE,
    quantity,
    fulfilledBefore: 0,
    shopifyFulfillmentOrderId: home,
    isReplaceable: is === 'unsent',
    isOfThisInstall: true,
  }));
  return planOrder(planInput({ lineItems, fulfillmentOrders }, { prints: counted }));
}

/**
 * Applies a plan: closes print orders that differ from the plan and creates missing ones. A closed print order counts until it is fenced.
 */
function follow(before: World, isFenced: boolean): World {
  const world = isFenced ? { ...before, prints: before.prints.filter(({ is }) => is !== 'closed') } : before;
  const wanted = new Map(
    plan(world).wanted.map(({ shopifyFulfillmentOrderId, items }) => [
      shopifyFulfillmentOrderId,
      sum(items.map(({ quantity }) => quantity)),
    ]),
  );
  const prints = world.prints.map((print): Print => {
    const isKept = print.is === 'sent' || (print.home !== null && wanted.get(print.home) === print.quantity);
    return isKept ? print : { ...print, is: 'closed' };
  });
  const covered = new Set(world.prints.filter(({ is }) => is === 'unsent').map(({ home }) => home));
  for (const [home, quantity] of wanted) if (!covered.has(home)) prints.push({ home, quantity, is: 'unsent' });
  return { left: world.left, prints };
}

function happen(world: World, one: News, index: number): World {
  const left = new Map([...world.left].filter(([, units]) => units > 0));
  const ids = [...left.keys()];
  const pick = (at: number): string => ids[at % ids.length] ?? 'first';
  const id = pick(one.kind === 'move' ? one.from : one.kind === 'add' ? one.to : one.which);
  const there = left.get(id) ?? 0;
  if (one.kind === 'add') left.set(id, there + one.units);
  if (one.kind === 'move') {
    const units = Math.min(one.units, there);
    const into = one.into === null ? `moved-${index}` : pick(one.into);
    left.set(id, there - units);
    left.set(into, (left.get(into) ?? 0) + units);
  }
  if (one.kind === 'close') {
    left.delete(id);
    left.set(`after-${index}`, there);
  }
  const unsent = world.prints.filter(({ is }) => is === 'unsent');
  const chosen = one.kind === 'send' ? unsent[one.which % Math.max(1, unsent.length)] : undefined;
  const prints = world.prints.map((print): Print => (print === chosen ? { ...print, is: 'sent' } : print));
  return { left: new Map([...left].filter(([, units]) => units > 0)), prints };
}

test('after any splits, moves, additions and sends, print orders contain exactly the units that are left', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 6 }),
      news,
      fc.array(fc.constantFrom('not planned', 'planned', 'fenced and planned')),
      (units, happenings, steps) => {
        let world: World = { left: new Map([['first', units]]), prints: [] };
        for (const [index, one] of happenings.entries()) {
          world = happen(world, one, index);
          const step = steps[index] ?? 'planned';
          if (step === 'not planned') continue;
          const before = unitsOf(world.prints);
          world = follow(world, step === 'fenced and planned');
          // The print orders contain at most as many units as are left, unless they already contained more before.
          expect(unitsOf(world.prints)).toBeLessThanOrEqual(Math.max(sum(world.left.values()), before));
        }
        for (let round = 0; round < ROUNDS; round += 1) world = follow(world, true);
        expect(world.prints.filter(({ is }) => is === 'closed')).toEqual([]);
        expect(unitsOf(world.prints)).toBe(sum(world.left.values()));
      },
    ),
    { numRuns: 300 },
  );
});
