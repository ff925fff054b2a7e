import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { StorefrontOrders } from '../../../src/database/entities/orders.ts';
import { enqueueStoreUpdate } from '../../../src/orders/enqueue/enqueue-store-update.ts';
import { platen, testPlaten } from '../../helpers/test-platen.ts';
import { untilIdle } from '../../helpers/until-idle.ts';
import { placeAtService } from '../follow/place-at-service.ts';
import { injectFaults } from '../submit/submit-helpers.ts';
import { eventually } from '../../helpers/eventually.ts';

const POSTER = 'POSTER-13X18';
const MUG = 'MUG-11OZ';
const TRIGGERS = ['print-order-needs-attention', 'print-order-sent', 'package-shipped', 'print-order-refused'];

interface Received {
  shop: string;
  handle: string;
  payload: Record<string, unknown>;
  started: boolean;
}

testPlaten({ advanceSeconds: null });
afterEach(async () => {
  await injectFaults(platen, []);
  await injectFaults(platen, [], 'store');
});

async function enable(enabled: boolean, triggers: readonly string[] = TRIGGERS): Promise<void> {
  for (const trigger of triggers) await platen.control('store', 'POST', '/flow/workflows', { trigger, enabled });
}

/** Returns the triggers that Shopify Flow has received about an order. */
async function triggersOf({ id }: { id: string }): Promise<Received[]> {
  const all = (await platen.control('store', 'GET', '/flow/triggers')) as Received[];
  return all.filter(({ payload }) => payload['order_id'] === Number(id.split('/').at(-1)));
}

const handlesOf = async (order: { id: string }): Promise<string[]> =>
  (await triggersOf(order)).map(({ handle }) => handle);

/** Enqueues another store update, as a later change to the order would. */
async function enqueueFurtherUpdate({ id }: { id: string }): Promise<void> {
  const order = await platen.app.db.manager.findOneByOrFail(StorefrontOrders, { shopifyOrderId: id });
  await enqueueStoreUpdate(platen.app.db, order.id);
  await untilIdle(platen.app);
}

describe('with enabled workflows', () => {
  beforeAll(() => enable(true));

  test('Platen sends one trigger when an order is sent and one for each shipped package', async () => {
    const at = await placeAtService(platen, { [POSTER]: 1, [MUG]: 1 });
    await eventually(() => handlesOf(at.order)).toEqual(['print-order-sent']);
    await at.advance('shipped', [
      { skus: [POSTER], code: 'FLOW-1', url: 'https://track.example/FLOW-1' },
      { skus: [MUG], code: 'FLOW-2' },
    ]);
    await platen.untilState(at.order.id, 'fulfilled');
    await enqueueFurtherUpdate(at.order);
    const [sent, ...shipped] = await triggersOf(at.order);
    const { reference } = at.printOrder;
    expect(sent).toMatchObject({ handle: 'print-order-sent', started: true });
    expect(sent?.payload).toMatchObject({ 'Print order reference': reference });
    expect(shipped.map(({ handle, payload }) => [handle, payload['Tracking code']])).toEqual([
      ['package-shipped', 'FLOW-1'],
      ['package-shipped', 'FLOW-2'],
    ]);
    expect(shipped[0]?.payload).toMatchObject({ 'Tracking URL': 'https://track.example/FLOW-1' });
  });

  test('a trigger that cannot be sent does not block printing, and is sent later', async () => {
    const refusal = { operation: 'SendFlowTrigger', rate: 1, kind: 'status', status: 503, effect: 'none' };
    await injectFaults(platen, [refusal], 'store');
    const at = await placeAtService(platen, { [POSTER]: 1 });
    await at.advance('shipped', [{ skus: [POSTER], code: 'BLOCK-1' }]);
    await platen.untilState(at.order.id, 'fulfilled');
    await injectFaults(platen, [], 'store');
    await enqueueFurtherUpdate(at.order);
    await eventually(async () => (await handlesOf(at.order)).toSorted()).toEqual([
      'package-shipped',
      'print-order-sent',
    ]);
  });
});
