import { describe, expect, test } from 'vitest';
import { Shops } from '../../../src/database/entities/shops.ts';
import { installDemoShop } from '../../../src/demo/install-demo-shop.ts';
import type { PlacedOrder } from '../../helpers/platen.ts';
import { platen, testPlaten } from '../../helpers/test-platen.ts';
import { untilIdle } from '../../helpers/until-idle.ts';
import { advance, placeAtStage, clearStage, printedOnce, runScheduledJobs, stages } from '../changes/order-stages.ts';
import { printOrdersOf } from '../submit/submit-helpers.ts';
import { eventually } from '../../helpers/eventually.ts';

testPlaten({
  advanceSeconds: null,
  environment: { POLL_SECONDS: '600' },
});

async function stateOfShop(): Promise<string> {
  return (await platen.app.db.manager.findOneByOrFail(Shops, { id: platen.shop.id })).state;
}

async function revoke(): Promise<void> {
  await platen.control('store', 'POST', '/tokens/revoke', { shop: platen.shop.domain });
  // The poll's next request detects the revocation.
  await eventually(stateOfShop).toBe('needs_sign_in');
}

/**
 * Returns the jobs that have failed, including jobs that are no longer retried. A job without a key was replaced by a newer one while it ran,
 * for example because the sign-in ended in that moment.
 */
async function failedJobs(): Promise<unknown[]> {
  return platen.app.db.query(
    'select task_identifier, attempts, last_error from graphile_worker.jobs where last_error is not null and key is not null',
  );
}

async function statesOf(order: PlacedOrder): Promise<string[]> {
  return (await printOrdersOf(platen, order)).map(({ state }) => state);
}

/** Expects that the order is printed, shipped and fulfilled once. */
async function expectFulfilled(order: PlacedOrder): Promise<void> {
  await eventually(async () => (await printedOnce(platen, order)).length).toBe(1);
  const [printed] = await printedOnce(platen, order);
  await untilIdle(platen.app);
  if (printed?.fulfillmentStatus !== 'shipped') await advance(platen, order, 'shipped');
  await eventually(async () => {
    await runScheduledJobs(platen, 1);
    return statesOf(order);
  }).toEqual(['fulfilled']);
  const { fulfillments } = await platen.storeOrder(order.id);
  expect(fulfillments).toMatchObject([
    { lines: [{ sku: 'POSTER-30X40', quantity: 1 }], trackingCodes: [expect.any(String)] },
  ]);
  expect(await printedOnce(platen, order)).toHaveLength(1);
}

test('an order that later searches use as a control is printed', async () => {
  // A search proves that an order is absent only if it also finds a known order of the account.
  const known = await platen.placeSkus({ 'POSTER-30X40': 1 });
  await platen.untilState(known.id, 'printing');
});

/** The stages at which a step needs the store, and those with a request whose outcome is unknown. */
const STAGES = /quoted|sent directly and created|not yet pushed/;
describe.each(stages.filter(({ name }) => STAGES.test(name)))('an order $name', (stage) => {
  test('the order waits without errors while the tokens are revoked, and is completed after the next sign-in', async () => {
    const order = await placeAtStage(platen, stage);
    await revoke();
    await clearStage(platen);
    await runScheduledJobs(platen);
    // Jobs that need the store end without failing and are not retried.
    expect(await failedJobs()).toEqual([]);
    expect(await platen.app.db.query('select from deliveries where handled_at is null')).toEqual([]);
    await installDemoShop(platen.app, platen.storeUrl);
    await expectFulfilled(order);
    expect(await failedJobs()).toEqual([]);
  });
});

test('an order whose webhooks arrive while the shop needs a new sign-in is printed after the sign-in', async () => {
  await revoke();
  const order = await platen.placeSkus({ 'POSTER-30X40': 1 });
  await untilIdle(platen.app);
  expect(await printOrdersOf(platen, order)).toEqual([]);
  expect(await failedJobs()).toEqual([]);
  await installDemoShop(platen.app, platen.storeUrl);
  await expectFulfilled(order);
});
