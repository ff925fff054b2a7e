import { glob, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { toJob } from '../../src/jobs/enqueue.ts';
import { BULK, POLLS } from '../../src/jobs/priorities.ts';
import { keyOf, taskNames } from '../../src/jobs/registry.ts';
import type { TaskName } from '../../src/jobs/tasks.ts';

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

/** Code that adds jobs. A file without any of these calls only reads the tasks that it names. */
const ADDS_JOBS = /\b(?:enqueue|enqueueAll|toJob|addJobsSql)\(/;
/** The schedule, and the functions of all tasks, some of which enqueue their task again or for each shop. */
const OF_ALL_TASKS = ['src/polls/start-schedule.ts', 'src/tasks.ts'];
/** Further files that name a task and add jobs, apart from the one file that enqueues the task. */
const FURTHER_FILES: Record<string, TaskName[]> = {
  // One statement stores deliveries and adds their jobs.
  'src/inbox/save-deliveries.ts': ['plan_order', 'follow_print_order'],
  // One statement writes an order's rows and adds its jobs.
  'src/orders/rows/order-manager.ts': ['update_store'],
  // The plan's job runs these tasks itself, and enqueues the ones that remain.
  'src/orders/plan-and-send.ts': ['quote_order', 'submit_print_order'],
  // A resumed shop starts all of its passes, and runs the jobs that waited only for the store.
  'src/orders/resume-shop.ts': [
    'catch_up_fulfillment_requests',
    'catch_up_store_products',
    'catch_up_stock',
    'catch_up_link_metafields',
    'handle_delivery',
    'update_store',
    'keep_carrier_service',
    'keep_variants',
    'check_print_links',
    'read_store_product',
    'read_product',
    'read_new_variants',
    'write_connections',
    'backfill',
  ],
  // The pass only reads whether a product's job is waiting.
  'src/products/store-products/catch-up-store-products.ts': ['read_store_product'],
};

test('each task is named in only one source file that adds jobs, apart from the listed files', async () => {
  const found: { task: TaskName; file: string }[] = [];
  for await (const file of glob('src/**/*.ts', { exclude: OF_ALL_TASKS })) {
    const source = await readFile(file, 'utf8');
    const names = new Set([...source.matchAll(/(?<!TaskPayloads\[)'(\w+)'/g)].map(([, name]) => name));
    if (ADDS_JOBS.test(source))
      found.push(...taskNames.filter((one) => names.has(one)).map((task) => ({ task, file })));
  }
  const isListed = ({ task, file }: (typeof found)[number]) => FURTHER_FILES[file]?.includes(task) ?? false;
  expect(found.filter(isListed)).toHaveLength(Object.values(FURTHER_FILES).flat().length);
  const others = Object.groupBy(
    found.filter((one) => !isListed(one)),
    ({ task }) => task,
  );
  expect(Object.keys(others).length).toBeGreaterThan(20);
  expect(Object.values(others).filter((files) => files.length > 1)).toEqual([]);
});
