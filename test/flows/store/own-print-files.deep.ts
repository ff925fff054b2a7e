import { afterAll, beforeAll, expect, test } from 'vitest';
import { PrintOrders } from '../../../src/database/entities/print-orders.ts';
import { changeSettings } from '../../../src/shops/settings/settings.ts';
import { startPlaten, type Platen, type PlacedOrder } from '../../helpers/platen.ts';
import { dumpTables, decryptPersonalData } from '../../orders/privacy/add-customer-order.ts';
import { eventually } from '../../helpers/eventually.ts';

const SKU = 'POSTER-30X40';

let platen: Platen;

beforeAll(async () => {
  platen = await startPlaten({
    advanceSeconds: null,
    settings: { printFileProperty: '_print_file', printFileHosts: ['uploads.example'] },
  });
});
afterAll(() => platen.stop());

async function place(...files: string[]): Promise<PlacedOrder> {
  const variants = (await platen.control('store', 'GET', '/variants')) as { sku: string; variantId: string }[];
  const variantId = variants.find(({ sku }) => sku === SKU)?.variantId;
  const lines = files.map((file) => ({ variantId, quantity: 1, properties: { _print_file: file, Text: 'For Mum' } }));
  return platen.placeOrder({ lines });
}

const filesFor = async ({ name }: PlacedOrder) =>
  (await platen.printedFor(name)).flatMap(({ items }) =>
    items.map((item) => ('fileUrl' in item ? item.fileUrl : null)),
  );
const holdsOf = async ({ id }: PlacedOrder) => (await platen.listed(id).catch(() => null))?.holds ?? null;

test('each line of a variant is printed with its own file, whose URL is stored only in encrypted form', async () => {
  const files = ['https://uploads.example/mum-1.pdf', 'https://uploads.example/mum-2.pdf'];
  const order = await place(...files);
  await eventually(() => filesFor(order)).toEqual(files);
  expect(await dumpTables(platen.app)).not.toContain('mum-1');
  expect(JSON.stringify(await decryptPersonalData(platen.app, platen.shop))).toContain('mum-1');
});

test('an order with a file from another host is held until that host is allowed', async () => {
  const file = 'https://elsewhere.example/mum-3.pdf';
  const order = await place(file);
  const hold = { code: 'print_file_refused', field: 'fileUrl', message: expect.not.stringContaining('elsewhere') };
  await eventually(() => holdsOf(order)).toEqual([expect.objectContaining(hold)]);
  expect(await platen.printedFor(order.name)).toEqual([]);
  await changeSettings(platen.app, platen.shop, { printFileHosts: ['uploads.example', 'elsewhere.example'] });
  await eventually(() => filesFor(order)).toEqual([file]);
});

test('a bundle’s file is printed if the bundle has one line, but the lines are held if the bundle has several', async () => {
  const file = 'https://uploads.example/bundle-4.pdf';
  const variants = (await platen.control('store', 'GET', '/variants')) as { sku: string; variantId: string }[];
  const variantId = variants.find(({ sku }) => sku === SKU)?.variantId;
  const line = { variantId, quantity: 1, bundle: { title: 'Gift box', properties: { _print_file: file } } };
  const single = await platen.placeOrder({ lines: [line] });
  const several = await platen.placeOrder({ lines: [line, { ...line, bundle: { title: 'Gift box' } }] });
  const hold = { code: 'print_file_refused', message: expect.stringMatching(/whole bundle/) };
  await eventually(() => holdsOf(several)).toEqual([expect.objectContaining(hold), expect.objectContaining(hold)]);
  await eventually(() => filesFor(single)).toEqual([file]);
  expect(await platen.printedFor(several.name)).toEqual([]);
  expect(await dumpTables(platen.app)).not.toContain('bundle-4');
});

test('the URL of a buyer’s file is deleted when the customer is erased', async () => {
  const order = await place('https://uploads.example/canary.pdf');
  await eventually(() => filesFor(order)).toHaveLength(1);
  const [printed] = await platen.printedFor(order.name);
  const { domain } = platen.shop;
  const body = { shop_id: 1, shop_domain: domain, customer: { id: 1 }, orders_to_redact: [order.id.split('/').at(-1)] };
  await platen.control('store', 'POST', '/webhooks/send', { topic: 'customers/redact', shop: domain, body });
  const ofOrder = { reference: printed?.orderReferenceId ?? '' };
  const kept = async () => (await platen.app.db.manager.findOneByOrFail(PrintOrders, ofOrder)).recipientEncrypted;
  await eventually(kept).toBeNull();
  expect(JSON.stringify(await decryptPersonalData(platen.app))).not.toContain('canary');
  expect(await dumpTables(platen.app)).not.toContain('canary');
});
