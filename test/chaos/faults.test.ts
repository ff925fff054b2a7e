import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { STORE_READS, STORE_WRITES, toFaults } from './faults.ts';

interface Rule {
  rate: number;
  method?: string;
  path?: string;
  operation?: string;
  effect?: string;
  lateMs?: number;
  status?: number;
}

const DOCUMENTS = join(import.meta.dirname, '../../src/shopify/documents');

/** Returns the share of the matching requests that at least one of the rules affects. */
function affectedShare(rules: object[], isFor: (rule: Rule) => boolean): number {
  const mine = (rules as Rule[]).filter((rule) => 'rate' in rule && isFor(rule));
  return 1 - mine.reduce((passed, { rate }) => passed * (1 - rate), 1);
}

test('every store operation for which the run injects faults is an operation of the app', () => {
  const text = readdirSync(DOCUMENTS)
    .map((name) => readFileSync(join(DOCUMENTS, name), 'utf8'))
    .join('\n');
  const named = (kind: string) => [...text.matchAll(new RegExp(`^${kind} (\\w+)`, 'gm'))].map(([, name]) => name);
  expect(named('mutation')).toEqual(expect.arrayContaining([...STORE_WRITES]));
  expect(named('query')).toEqual(expect.arrayContaining([...STORE_READS]));
});

describe('faults at a rate of 0.3', () => {
  const { print, store, printWebhooks, storeWebhooks } = toFaults(0.3, 7);

  test('writes fail at the fault rate, and reads fail at half that rate', () => {
    expect(affectedShare(print, ({ method, path }) => method === 'POST' && path === '/v3/orders')).toBeCloseTo(0.3);
    expect(affectedShare(print, ({ method }) => method === 'PATCH')).toBeCloseTo(0.3);
    expect(affectedShare(print, ({ path }) => path === '/v4/orders:search')).toBeCloseTo(0.15);
    expect(affectedShare(store, ({ operation }) => operation === 'CreateFulfillment')).toBeCloseTo(0.3);
    expect(affectedShare(store, ({ operation }) => operation === 'OrderForPlan')).toBeCloseTo(0.15);
  });

  test('a failed request takes effect before the failure, up to 2 s later or never, and a 429 has no effect', () => {
    const rules = [...print, ...store] as Rule[];
    for (const effect of ['none', 'done', 'late']) expect(rules.some((rule) => rule.effect === effect)).toBe(true);
    for (const { lateMs = 0 } of rules) expect(lateMs).toBeLessThanOrEqual(2_000);
    for (const rule of rules) if (rule.status === 429) expect(rule.effect).toBe('none');
  });

  test('the stand-ins get the seed, searches lag, and webhooks are dropped, duplicated and reordered', () => {
    for (const list of [print, store])
      expect(list).toEqual(expect.arrayContaining([{ seed: 7 }, { searchLagMs: 1_000 }]));
    for (const webhooks of [printWebhooks, storeWebhooks]) {
      expect(webhooks).toMatchObject({ drop: 0.15, duplicate: 0.3, shuffleMs: 1_000 });
    }
  });
});

test('every rule has a rate from 0 to 1 even at the highest fault rate', () => {
  const { print, store } = toFaults(0.9, 1);
  for (const rule of [...print, ...store] as Rule[]) {
    if (!('rate' in rule)) continue;
    expect(rule.rate).toBeGreaterThan(0);
    expect(rule.rate).toBeLessThanOrEqual(1);
  }
});

test('nothing fails at a fault rate of 0', () => {
  expect(toFaults(0, 7)).toMatchObject({
    print: [],
    store: [],
    printWebhooks: { drop: 0, duplicate: 0, shuffleMs: 0 },
  });
});
