import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { afterEach, expect, test } from 'vitest';
import { PrintOrders, ServiceOrders } from '../../../src/database/entities/print-orders.ts';
import { PrintLinks } from '../../../src/database/entities/products.ts';
import { catchUpPrintOrders } from '../../../src/orders/follow/catch-up-print-orders.ts';
import { changeSettings } from '../../../src/shops/settings/settings.ts';
import { platen, testPlaten } from '../../helpers/test-platen.ts';
import { untilIdle } from '../../helpers/until-idle.ts';
import { injectFaults, untilPrintOrder, untilNoDueJobs } from '../submit/submit-helpers.ts';

/** A product that the service prints at another facility and returns as a connected order. */
const OTHER_FACILITY = 'phonecase_apple_iphone-13promax_flexi_transparent_satin';

testPlaten({ advanceSeconds: null, settings: { submit: 'direct' } });
afterEach(() => injectFaults(platen, []));

async function printed(printInterface: 'current' | 'v2'): Promise<string> {
  await changeSettings(platen.app, platen.shop, { printInterface });
  const order = await platen.placeSkus({ 'POSTER-30X40': 1 });
  const { id } = await untilPrintOrder(platen, order, ({ confirmedAt }) => confirmedAt !== null);
  await untilNoDueJobs(platen, order);
  return id;
}

/** Runs a pass and its readings. Returns the number of print orders that it followed and the filters of all searches. */
async function pass(): Promise<{ found: number; searches: string[] }> {
  const searches: string[] = [];
  const record = (message: unknown): void => {
    const { request } = message as { request: { origin: string; path: string; body: Buffer | null } };
    if (request.origin !== platen.printUrl || request.path !== '/v4/orders:search') return;
    searches.push(...Object.keys(JSON.parse(String(request.body)) as object).filter((name) => name.endsWith('ds')));
  };
  subscribe('undici:request:create', record);
  try {
    const { found } = await catchUpPrintOrders(platen.app);
    await untilIdle(platen.app);
    return { found, searches };
  } finally {
    unsubscribe('undici:request:create', record);
  }
}

test.each([
  { calls: 'only the documented calls', extendedCalls: false, again: { found: 0, searches: ['ids'] } },
  { calls: 'the extended calls', extendedCalls: true, again: { found: 2, searches: ['ids'] } },
])(
  'orders that shipped without a tracking code are read again by each pass only where a reading can show the code: $calls',
  async ({ extendedCalls, again }) => {
    await changeSettings(platen.app, platen.shop, { extendedCalls });
    await platen.app.db.query("update print_orders set state = 'fulfilled'");
    await platen.control('print', 'POST', '/webhooks', { drop: 1 });
    for (const id of [await printed('current'), await printed('current')]) {
      const { serviceOrderId } = await platen.app.db.manager.findOneByOrFail(PrintOrders, { id });
      await platen.control('print', 'POST', `/orders/${serviceOrderId}/advance`, { to: 'shipped', packages: [] });
    }
    expect(await pass()).toMatchObject({ found: 2 });
    expect(await pass()).toEqual(again);
  },
);

test('a part that the service adds to an order is found by a pass', async () => {
  await changeSettings(platen.app, platen.shop, { extendedCalls: false, printInterface: 'current' });
  await platen.app.db.query("update print_orders set state = 'fulfilled'");
  await platen.app.db.manager.update(PrintLinks, { sku: 'TSHIRT-L' }, { productUid: OTHER_FACILITY });
  const order = await platen.placeSkus({ 'POSTER-13X18': 1, 'TSHIRT-L': 1 });
  const { id } = await untilPrintOrder(platen, order, ({ confirmedAt }) => confirmedAt !== null);
  await untilNoDueJobs(platen, order);
  const part = { printOrderId: id, role: 'part' } as const;
  expect(await platen.app.db.manager.countBy(ServiceOrders, part)).toBe(1);
  await pass();
  await platen.app.db.manager.delete(ServiceOrders, part);
  expect(await pass()).toMatchObject({ found: 1 });
  expect(await platen.app.db.manager.countBy(ServiceOrders, part)).toBe(1);
  expect(await pass()).toMatchObject({ found: 0 });
});
