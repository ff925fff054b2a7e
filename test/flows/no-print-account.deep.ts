import { afterAll, beforeAll, expect, test } from 'vitest';
import { disconnectPrintAccount } from '../../src/shops/print-account/disconnect-print-account.ts';
import { changeSettings } from '../../src/shops/settings/settings.ts';
import { startPlaten, type Platen } from '../helpers/platen.ts';
import { printOrdersOf, untilPrintedOnce } from './submitting.ts';

let extended: Platen;

beforeAll(async () => void (extended = await startPlaten({ advanceSeconds: null })));
afterAll(() => extended.stop());

test('the orders of a shop without a key hold, and go on by themselves when the key is set', async () => {
  await disconnectPrintAccount(extended.app, extended.shop);
  const order = await extended.placeSkus({ 'POSTER-30X40': 1 });
  const held = await extended.untilState(order.id, 'held');
  expect(held.holds).toMatchObject([{ code: 'no_print_account', field: 'printKey' }]);
  expect(held.holds[0]?.remedy).toContain('Enter the API key');
  expect(await printOrdersOf(extended, order)).toEqual([]);
  await changeSettings(extended.app, extended.shop, { printKey: 'sandbox-key' });
  await untilPrintedOnce(extended, [order]);
  expect((await extended.untilState(order.id, 'printing')).holds).toEqual([]);
});

test('a print order not begun yet goes to the account of the key that is set now', async () => {
  await extended.control('print', 'POST', '/faults', [
    { path: '/v4/orders:quote', rate: 1, kind: 'status', status: 401 },
  ]);
  const order = await extended.placeSkus({ 'POSTER-30X40': 1 });
  const held = await extended.untilState(order.id, 'held');
  expect(held.holds.map(({ code }) => code)).toEqual(['print_account_refused']);
  await extended.control('print', 'POST', '/faults', []);
  await changeSettings(extended.app, extended.shop, { printKey: 'sandbox-key-second' });
  await untilPrintedOnce(extended, [order]);
  expect((await extended.untilState(order.id, 'printing')).holds).toEqual([]);
});
