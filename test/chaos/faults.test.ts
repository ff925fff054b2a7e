import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { STORE_READS, STORE_WRITES, toFaults } from './faults.ts';

const DOCUMENTS = join(import.meta.dirname, '../../src/shopify/documents');

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

  test('the stand-ins get the seed, searches lag, and webhooks are dropped, duplicated and reordered', () => {
    for (const list of [print, store])
      expect(list).toEqual(expect.arrayContaining([{ seed: 7 }, { searchLagMs: 1_000 }]));
    for (const webhooks of [printWebhooks, storeWebhooks]) {
      expect(webhooks).toMatchObject({ drop: 0.15, duplicate: 0.3, shuffleMs: 1_000 });
    }
  });
});

test('nothing fails at a fault rate of 0', () => {
  expect(toFaults(0, 7)).toMatchObject({
    print: [],
    store: [],
    printWebhooks: { drop: 0, duplicate: 0, shuffleMs: 0 },
  });
});
