import { ask, type Scene } from '../scene.ts';
import { passTime } from '../settle.ts';
import type { Move } from './step.ts';

/** Calls that can fail. A failed write may still take effect, either immediately or late. */
const CALLS = [
  { side: 'print', words: 'create', rule: { method: 'POST', path: '/v3/orders' }, writes: true, weight: 4 },
  { side: 'print', words: 'confirm', rule: { method: 'PATCH', path: '/v4/orders/' }, writes: true, weight: 4 },
  {
    side: 'print',
    words: 'delete of a draft',
    rule: { method: 'DELETE', path: '/v4/orders/' },
    writes: true,
    weight: 2,
  },
  {
    side: 'print',
    words: 'cancel or other order call',
    rule: { method: 'POST', path: '/v4/orders/' },
    writes: true,
    weight: 2,
  },
  { side: 'print', words: 'order get', rule: { method: 'GET', path: '/v4/orders/' }, writes: false, weight: 2 },
  { side: 'print', words: 'search', rule: { method: 'POST', path: '/v4/orders:search' }, writes: false, weight: 2 },
  { side: 'print', words: 'quote', rule: { method: 'POST', path: '/v4/orders:quote' }, writes: false, weight: 2 },
  { side: 'store', words: 'fulfillment', rule: { operation: 'CreateFulfillment' }, writes: true, weight: 3 },
  {
    side: 'store',
    words: 'tracking update',
    rule: { operation: 'UpdateFulfillmentTracking' },
    writes: true,
    weight: 1,
  },
  {
    side: 'store',
    words: 'fulfillment request',
    rule: { operation: 'RequestFulfillment' },
    writes: true,
    weight: 2,
  },
  {
    side: 'store',
    words: 'acceptance of a request',
    rule: { operation: 'AcceptFulfillmentRequest' },
    writes: true,
    weight: 2,
  },
  {
    side: 'store',
    words: 'acceptance of a cancellation',
    rule: { operation: 'AcceptCancellationRequest' },
    writes: true,
    weight: 1,
  },
  {
    side: 'store',
    words: 'rejection of a cancellation',
    rule: { operation: 'RejectCancellationRequest' },
    writes: true,
    weight: 1,
  },
  {
    side: 'store',
    words: 'closing of a fulfillment order',
    rule: { operation: 'CloseFulfillmentOrder' },
    writes: true,
    weight: 1,
  },
  { side: 'store', words: 'reading of an order', rule: { operation: 'OrderForPlan' }, writes: false, weight: 2 },
] as const;

/** Longer than any play, so that a late call takes effect only when a step triggers it. */
const LATE_MS = 600_000;

const BREAKS = [
  { words: 'answered 500 without effect', rule: { kind: 'status', status: 500, effect: 'none' }, needsEffect: false },
  {
    words: 'answered 500 after it took effect',
    rule: { kind: 'status', status: 500, effect: 'done' },
    needsEffect: true,
  },
  {
    words: 'answered 503 and takes effect late',
    rule: { kind: 'status', status: 503, effect: 'late', lateMs: LATE_MS },
    needsEffect: true,
  },
  { words: 'cut after it took effect', rule: { kind: 'reset', effect: 'done' }, needsEffect: true },
  { words: 'cut and takes effect late', rule: { kind: 'reset', effect: 'late', lateMs: LATE_MS }, needsEffect: true },
  { words: 'answered with half a body', rule: { kind: 'truncate', effect: 'done' }, needsEffect: true },
  { words: 'answered 429', rule: { kind: 'status', status: 429, effect: 'none' }, needsEffect: false },
  { words: 'answered 400', rule: { kind: 'status', status: 400, effect: 'none' }, needsEffect: false },
  { words: 'answered 404', rule: { kind: 'status', status: 404, effect: 'none' }, needsEffect: false },
  { words: 'answered 409', rule: { kind: 'status', status: 409, effect: 'none' }, needsEffect: false },
] as const;

async function addFault(scene: Scene, side: 'print' | 'store', rule: object): Promise<void> {
  const { faults } = (await ask(scene, side, '/faults', undefined, 'GET')) as { faults: object[] };
  await ask(scene, side, '/faults', [...faults, rule]);
}

/** Makes all late calls take effect immediately. */
async function runLate(scene: Scene): Promise<void> {
  for (const side of ['print', 'store'] as const) await ask(scene, side, '/faults/late');
}

/** Ends all faults: late calls take effect, and from then on every call gets a response and every event arrives. */
export async function stopFaults(scene: Scene): Promise<void> {
  for (const side of ['print', 'store'] as const) {
    await ask(scene, side, '/faults', []);
    await ask(scene, side, '/webhooks', { drop: 0, duplicate: 0 });
  }
  await runLate(scene);
}

const MINUTE = 60;
const DAY = 24 * 60 * MINUTE;

const wait = (weight: number, words: string, ...stretches: number[]): Move => ({
  weight,
  draw: () => ({ words: `${words} pass`, act: (scene) => passTime(scene, ...stretches) }),
});

const webhooks = (weight: number, side: 'print' | 'store', words: string, body: object): Move => ({
  weight,
  draw: () => ({ words, act: async (scene) => void (await ask(scene, side, '/webhooks', body)) }),
});

/** Moves in which calls fail, events are lost or time passes. */
export const faultMoves: readonly Move[] = [
  {
    weight: 16,
    draw(random) {
      const call = random.pick(CALLS.flatMap((one) => Array<(typeof CALLS)[number]>(one.weight).fill(one)));
      // The store reports refusals in 200 responses, so faults for the store never use 4xx statuses.
      const fitting = BREAKS.filter(({ needsEffect, rule }) => {
        const isRefusal = rule.kind === 'status' && [400, 404, 409].includes(rule.status);
        return (call.writes || !needsEffect) && !(isRefusal && (call.side === 'store' || !call.writes));
      });
      const broken = random.pick(fitting);
      const times = 1 + (random.chance(0.25) ? random.below(6) : 0);
      const count = times === 1 ? `the next ${call.words} is` : `the next ${times} of ${call.words} are`;
      return {
        words: `${count} ${broken.words}`,
        async act(scene) {
          if (broken.rule.effect === 'late') scene.ledger.lateSince ??= scene.clock.now();
          await addFault(scene, call.side, { ...call.rule, ...broken.rule, times });
        },
      };
    },
  },
  { weight: 3, draw: () => ({ words: 'late calls take effect', act: runLate }) },
  { weight: 3, draw: () => ({ words: 'every call gets a response again', act: stopFaults }) },
  webhooks(2, 'print', 'events of the print service are lost', { drop: 1 }),
  webhooks(2, 'store', 'webhooks of the store are lost', { drop: 1 }),
  webhooks(1, 'print', 'events of the print service arrive twice', { duplicate: 1 }),
  webhooks(1, 'store', 'webhooks of the store arrive twice', { duplicate: 1 }),
  wait(6, 'two minutes', 2 * MINUTE),
  wait(6, 'twenty minutes', 2 * MINUTE, 18 * MINUTE),
  wait(3, 'two hours', 20 * MINUTE, 100 * MINUTE),
  wait(2, 'two days', 120 * MINUTE, DAY, DAY),
];
