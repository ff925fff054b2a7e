import { expect, test } from 'vitest';
import type { ChaosArguments } from './arguments.ts';
import type { Findings } from './books/check-books.ts';
import type { Disturbances } from './disturb.ts';
import { toSummary } from './summary.ts';

const args: ChaosArguments = { orders: 100, replicas: 3, faultRate: 0.3, seed: 7, submit: 'both', upgradeFrom: null };
const disturbances: Disturbances = { kills: 6, freezes: 2, databaseRestarts: 3, restores: 1, restored: null };
const sound: Findings = {
  printed: 96,
  held: 0,
  heldOnDraftWay: 0,
  heldByRestore: 2,
  duplicates: 0,
  lost: 0,
  wrongLines: 0,
  wrongTracking: 0,
  doubledFulfillments: 0,
  doubleNotifications: 0,
  spareDrafts: 0,
  findings: [],
  holds: [],
};
const faults: Record<string, number> = { reset: 12, status: 40 };
const outcome = { findings: sound, moving: 0, crashes: 0, faults, disturbances };
const isOk = (changed: Partial<typeof outcome>, of: Partial<ChaosArguments> = {}) =>
  toSummary({ ...args, ...of }, { ...outcome, ...changed }).ok;

test.each([
  'duplicates',
  'lost',
  'wrongLines',
  'wrongTracking',
  'doubledFulfillments',
  'doubleNotifications',
  'spareDrafts',
] as const)('a run with one finding of the kind %s is not ok', (kind) => {
  expect(isOk({ findings: { ...sound, [kind]: 1 } })).toBe(false);
});

test('one in twenty direct orders may be held, but no order created as a draft may be', () => {
  const held = (count: number, byDraft = 0) => ({ findings: { ...sound, held: count, heldOnDraftWay: byDraft } });
  expect(isOk(held(2))).toBe(true);
  expect(isOk(held(3))).toBe(false);
  expect(isOk(held(1, 1))).toBe(false);
  expect(isOk(held(5), { submit: 'direct' })).toBe(true);
  expect(isOk(held(6), { submit: 'direct' })).toBe(false);
  expect(isOk(held(1), { submit: 'draft' })).toBe(false);
});

test('a run without kills is not ok, and neither is a run with a fault rate but no faults', () => {
  expect(isOk({ faults: {} })).toBe(false);
  expect(isOk({ faults: {} }, { faultRate: 0 })).toBe(true);
  expect(isOk({ disturbances: { ...disturbances, kills: 0 } })).toBe(false);
});
