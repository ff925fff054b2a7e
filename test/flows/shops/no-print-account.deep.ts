import { afterAll, beforeAll, expect, test } from 'vitest';
import { disconnectPrintAccount } from '../../../src/shops/print-account/disconnect-print-account.ts';
import { changeSettings } from '../../../src/shops/settings/settings.ts';
import { startPlaten, type Platen } from '../../helpers/platen.ts';
import { printOrdersOf, untilPrintedOnce } from '../submit/submit-helpers.ts';

let platen: Platen;

beforeAll(async () => void (platen = await startPlaten({ advanceSeconds: null })));
afterAll(() => platen.stop());

test('the orders of a shop without a print key are held, and resume automatically once a key is set', async () => {
  await disconnectPrintAccount(platen.app, platen.shop);
  const order = await platen.placeSkus({ 'POSTER-30X40': 1 });
  const held = await platen.untilState(order.id, 'held');
  expect(held.holds).toMatchObject([{ code: 'no_print_account', field: 'printKey' }]);
  expect(held.holds[0]?.remedy).toContain('Enter the API key');
  expect(await printOrdersOf(platen, order)).toEqual([]);
  await changeSettings(platen.app, platen.shop, { printKey: 'sandbox-key' });
  await untilPrintedOnce(platen, [order]);
  expect((await platen.untilState(order.id, 'printing')).holds).toEqual([]);
});

test('a print order that is still unsent when the key changes is sent to the new key’s account', async () => {
  await platen.control('print', 'POST', '/faults', [
    { path: '/v4/orders:quote', rate: 1, kind: 'status', status: 401 },
  ]);
  const order = await platen.placeSkus({ 'POSTER-30X40': 1 });
  const held = await platen.untilState(order.id, 'held');
  expect(held.holds.map(({ code }) => code)).toEqual(['print_account_refused']);
  await platen.control('print', 'POST', '/faults', []);
  await changeSettings(platen.app, platen.shop, { printKey: 'sandbox-key-second' });
  await untilPrintedOnce(platen, [order]);
  expect((await platen.untilState(order.id, 'printing')).holds).toEqual([]);
});
