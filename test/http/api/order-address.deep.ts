import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, expect, test } from 'vitest';
import type { ShownAddress } from '../../../src/orders/manual-actions/changes/correct-address.ts';
import { changeSettings } from '../../../src/shops/settings/settings.ts';
import { injectFaults, printOrdersOf } from '../../flows/submit/submit-helpers.ts';
import { platen, testPlaten } from '../../helpers/test-platen.ts';
import { callApi, refusal } from '../test-app.ts';
import { eventually } from '../../helpers/eventually.ts';

const DEMO = 'demo.myshopify.com';
const LONG_STREET = 'Karl-Johans-gate-og-Stortingsgata-ved-Eidsvolls-plass-42-B-inngang';
const STREET = 'Karl Johans gate 1';
const OSLO = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  address1: LONG_STREET,
  city: 'Oslo',
  zip: '0154',
  countryCode: 'NO',
  phone: '+4722000000',
};
const SAO_PAULO = {
  ...OSLO,
  address1: 'Rua Augusta 1',
  city: 'São Paulo',
  provinceCode: 'SP',
  zip: '01304-000',
  countryCode: 'BR',
};

const logFile = join(tmpdir(), `platen-order-address-${process.pid}.log`);

testPlaten({ advanceSeconds: null, settings: { delayMinutes: 0 }, logFile, environment: { LOG_LEVEL: 'trace' } });
beforeAll(async () => {
  await changeScopes({ grant: ['write_orders'] });
}, 60_000);
afterEach(async () => {
  await injectFaults(platen, [], 'store');
  await changeSettings(platen.app, platen.shop, { leavesDrafts: false });
  await platen.control('store', 'POST', '/protected-data', { approved: true });
});

const changeScopes = (change: object) => platen.control('store', 'POST', `/shops/${DEMO}/scopes`, change);

async function call(method: 'GET' | 'PUT' | 'POST', { id }: { id: string }, path: string, sent?: object) {
  const at = `/orders/${id.split('/').at(-1)}${path}`;
  const { status, body } = await callApi(platen.url, platen.shop, [method, at], sent);
  return { status, body };
}

async function readAddress(order: { id: string }): Promise<ShownAddress> {
  const { status, body } = await call('GET', order, '/address');
  expect([status, body]).toEqual([200, body]);
  return body as unknown as ShownAddress;
}

async function saveAddress(order: { id: string }, change: object) {
  const { address } = await readAddress(order);
  return call('PUT', order, '/address', { ...address, ...change });
}

async function placeHeldOrder(shippingAddress: object | null = OSLO, more: object = {}) {
  const order = await platen.placeSkus({ 'POSTER-30X40': 1 }, { shippingAddress, ...more });
  await platen.untilState(order.id, 'held');
  return order;
}

const waitUntilSentTo = (order: { name: string }, address: object) =>
  eventually(async () => (await platen.printedFor(order.name)).map((one) => one.shippingAddress)).toMatchObject([
    address,
  ]);

test('an order on hold continues once its address is corrected in Platen, and the log, jobs and timeline omit the address', async () => {
  // The order also needs approval, so the correction alone does not let it continue.
  await changeSettings(platen.app, platen.shop, { release: 'by_hand' });
  const order = await placeHeldOrder();
  const { address, fault, sent } = await readAddress(order);
  expect(address).toMatchObject({
    firstName: 'Ada',
    addressLine1: LONG_STREET,
    addressLine2: '',
    postCode: '0154',
    country: 'NO',
  });
  expect(fault).toMatchObject({ field: 'addressLine1', message: expect.stringContaining('at most 35 characters') });
  expect(sent).toEqual([]);
  expect(await saveAddress(order, { addressLine1: STREET })).toEqual({
    status: 200,
    body: { done: [`The address of ${order.name} was changed in your store. Platen is checking the order again.`] },
  });
  await eventually(async () => (await platen.listed(order.id)).holds.map(({ code }) => code)).toEqual([
    'needs_approval',
  ]);
  expect(await platen.printedFor(order.name)).toEqual([]);
  await changeSettings(platen.app, platen.shop, { release: 'automatic' });
  await waitUntilSentTo(order, { addressLine1: STREET, firstName: 'Ada', phone: '+47 22 00 00 00' });
  const { body } = await call('GET', order, '');
  const timeline = body['timeline'] as { kind: string; message: string; by: string; data: object }[];
  expect(timeline.filter(({ kind }) => kind === 'address_corrected')).toMatchObject([
    { message: 'The merchant changed the shipping address in Platen.', by: 'merchant', data: {} },
  ]);
  const jobs: unknown[] = await platen.app.db.query('select payload from graphile_worker._private_jobs');
  const log = readFileSync(logFile, 'utf8');
  for (const secret of [STREET, LONG_STREET, 'Lovelace'])
    expect([JSON.stringify(timeline), JSON.stringify(jobs), log].filter((one) => one.includes(secret))).toEqual([]);
});

test('an address that the print service does not accept is rejected with the field’s name, and the store keeps the old address', async () => {
  const order = await placeHeldOrder();
  for (const [change, field, words] of [
    [{ addressLine1: `${LONG_STREET}s` }, 'addressLine1', 'but this address has 67'],
    [{ addressLine1: STREET, city: '' }, 'city', 'it is empty'],
    [{ addressLine1: STREET, country: 'US', state: 'Oslo' }, 'state', 'unknown'],
    [{ addressLine1: STREET, country: 'XX' }, 'country', 'must be a country code'],
    [{ addressLine1: 'x'.repeat(256) }, 'addressLine1', 'at most 255 characters'],
    [{ addressLine1: STREET, country: 'BR', state: 'SP' }, 'federalTaxId', 'CPF or CNPJ'],
  ] as const)
    expect(await saveAddress(order, change)).toMatchObject(
      refusal(400, { code: 'invalid_input', field, message: expect.stringContaining(words) }),
    );
  expect(await call('PUT', order, '/address', { addressLine1: STREET })).toMatchObject({ status: 400 });
  expect(await readAddress(order)).toMatchObject({ address: { addressLine1: LONG_STREET } });
});

test('an address that the store refuses is reported at the field that the store names', async () => {
  const order = await placeHeldOrder({ ...SAO_PAULO, provinceCode: 'SP' });
  const tax = { federalTaxId: '529.982.247-25' };
  expect(await saveAddress(order, { ...tax, state: 'XX' })).toMatchObject(
    refusal(400, { field: 'state', message: 'state: Province is not valid in Brazil' }),
  );
  expect(await saveAddress(order, { ...tax, email: 'nobody' })).toMatchObject(
    refusal(400, { field: 'email', message: 'email: Email is invalid' }),
  );
  expect((await saveAddress(order, tax)).status).toBe(200);
  await waitUntilSentTo(order, { city: 'São Paulo' });
});

test('an address can be added to an order without one, and its state may be given by name', async () => {
  const order = await placeHeldOrder(null);
  expect(await readAddress(order)).toMatchObject({ address: { addressLine1: '', country: '' }, fault: null });
  const { firstName, lastName } = OSLO;
  const chicago = {
    firstName,
    lastName,
    addressLine1: '1 Main Street',
    city: 'Chicago',
    state: 'Illinois',
    postCode: '60606',
    country: 'us',
  };
  expect((await saveAddress(order, chicago)).status).toBe(200);
  await waitUntilSentTo(order, { state: 'IL', country: 'US' });
});

test('without the permission, nothing changes, and the response names the permission to request', async () => {
  const order = await placeHeldOrder();
  await changeScopes({ revoke: ['write_orders'] });
  expect(await saveAddress(order, { addressLine1: STREET })).toMatchObject(
    refusal(403, { code: 'scope_needed', scopes: ['write_orders'] }),
  );
  expect(await readAddress(order)).toMatchObject({ address: { addressLine1: LONG_STREET } });
  await changeScopes({ grant: ['write_orders'] });
  expect((await saveAddress(order, { addressLine1: STREET })).status).toBe(200);
  await waitUntilSentTo(order, { addressLine1: STREET });
});

test('a draft that was left at the print service is replaced by a draft with the new address', async () => {
  await changeSettings(platen.app, platen.shop, { leavesDrafts: true });
  const order = await placeHeldOrder({ ...OSLO, address1: STREET });
  expect((await saveAddress(order, { addressLine1: 'Storgata 2' })).status).toBe(200);
  await eventually(async () =>
    (await platen.printed()).filter((one) => !one.deleted && one.metadata.some(({ value }) => value === order.name)),
  ).toMatchObject([{ orderType: 'draft', shippingAddress: { addressLine1: 'Storgata 2' } }]);
  const [old] = await printOrdersOf(platen, order);
  expect(old).toMatchObject({ closedReason: 'changed' });
});

test('an address cannot be changed once the order was sent to print or its printing was canceled', async () => {
  const order = await platen.placeSkus({ 'POSTER-30X40': 1 });
  await platen.untilState(order.id, 'printing');
  await eventually(() => call('GET', order, '/address')).toMatchObject(
    refusal(409, { code: 'already_sent', message: expect.stringContaining('can no longer change') }),
  );
  const canceled = await placeHeldOrder();
  const { address } = await readAddress(canceled);
  await call('POST', canceled, '/cancel');
  expect(await call('PUT', canceled, '/address', { ...address, addressLine1: STREET })).toMatchObject(
    refusal(409, { code: 'canceled_by_hand' }),
  );
});
