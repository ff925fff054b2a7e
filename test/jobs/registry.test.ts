import { expect, test } from 'vitest';
import { toJob } from '../../src/jobs/enqueue.ts';
import { BULK, POLLS } from '../../src/jobs/priorities.ts';
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
