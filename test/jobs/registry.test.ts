import { glob, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { toJob } from '../../src/jobs/enqueue.ts';
import { BULK, POLLS } from '../../src/jobs/priorities.ts';
import { keyOf } from '../../src/jobs/registry.ts';

test('a job gets the key, queue, class and wait that are registered for its task', () => {
  expect(toJob('quote_order', { storefrontOrderId: '7' })).toEqual({
    task: 'quote_order',
    payload: { storefrontOrderId: '7' },
    key: 'quote:7',
    queue: 'order:7',
  });
  const variants = { key: 'keep_variants:3', queue: 'keep_variants:3', keyMode: 'preserve_run_at', priority: BULK };
  expect(toJob('keep_variants', { shopId: 3 })).toMatchObject({ ...variants, waitSeconds: 1 });
  expect(toJob('catch_up_storefront_orders', { shopId: 3 })).toMatchObject({
    key: 'catch_up_storefront_orders:3',
    queue: 'pass:catch_up_storefront_orders:3',
    priority: POLLS,
  });
  expect(toJob('catch_up_shops', { pass: 'check_other_app' })).toMatchObject({
    key: 'catch_up_shops:check_other_app',
    queue: 'pass:catch_up_shops:check_other_app',
  });
  expect(toJob('handle_delivery', { deliveryId: '1' })).toEqual({
    task: 'handle_delivery',
    payload: { deliveryId: '1' },
  });
});

test('options passed by the caller override the registry, and an explicit start time replaces the wait', () => {
  const runAt = new Date();
  expect(toJob('keep_variants', { shopId: 3 }, { runAt, key: 'k' })).toMatchObject({ runAt, key: 'k', queue: 'k' });
  expect(toJob('keep_variants', { shopId: 3 }, { runAt })).not.toHaveProperty('waitSeconds');
  expect(toJob('keep_variants', { shopId: 3 }, { waitSeconds: 0 })).toMatchObject({ waitSeconds: 0 });
});

test('a job of a print order runs in the queue of the storefront order that the caller names', () => {
  const payload = { printOrderId: '9' };
  expect(toJob('submit_print_order', payload, { storefrontOrderId: '7' })).toEqual({
    task: 'submit_print_order',
    payload,
    key: 'submit:9',
    queue: 'order:7',
  });
  expect(() => toJob('submit_print_order', payload)).toThrow('submit_print_order needs a storefront order');
});

test('requesting the key of a task that has no key throws an error', () => {
  expect(keyOf('update_store', { storefrontOrderId: '7' })).toBe('update_store:7');
  expect(() => keyOf('handle_delivery', { deliveryId: '1' })).toThrow('jobs of handle_delivery have no key');
});

test('each task is enqueued in only one source file', async () => {
  const files = new Map<string, Set<string>>();
  for await (const file of glob('src/**/*.ts')) {
    const source = await readFile(file, 'utf8');
    for (const [, kind] of source.matchAll(/\benqueue\(\s*[^,]+,\s*'(\w+)'/g))
      files.set(kind!, (files.get(kind!) ?? new Set()).add(file));
  }
  expect(files.size).toBeGreaterThan(15);
  expect([...files].filter(([, places]) => places.size > 1)).toEqual([]);
});
