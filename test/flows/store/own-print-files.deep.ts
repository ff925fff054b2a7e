import { expect, test } from 'vitest';
import type { PlacedOrder } from '../../helpers/platen.ts';
import { platen, testPlaten } from '../../helpers/test-platen.ts';
import { dumpTables, decryptPersonalData } from '../../orders/privacy/add-customer-order.ts';
import { eventually } from '../../helpers/eventually.ts';

const SKU = 'POSTER-30X40';

testPlaten({
  advanceSeconds: null,
  settings: { printFileProperty: '_print_file', printFileHosts: ['uploads.example'] },
});

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

test('each line of a variant is printed with its own file, whose URL is stored only in encrypted form and erased with the customer', async () => {
  const files = ['https://uploads.example/mum-1.pdf', 'https://uploads.example/mum-2.pdf'];
  const order = await place(...files);
  await eventually(() => filesFor(order)).toEqual(files);
  expect(await dumpTables(platen.app)).not.toContain('mum-1');
  const sealed = async () => JSON.stringify(await decryptPersonalData(platen.app, platen.shop));
  expect(await sealed()).toContain('mum-1');
  const { domain } = platen.shop;
  const body = { shop_id: 1, shop_domain: domain, customer: { id: 1 }, orders_to_redact: [order.id.split('/').at(-1)] };
  await platen.control('store', 'POST', '/webhooks/send', { topic: 'customers/redact', shop: domain, body });
  await eventually(sealed).not.toContain('mum-1');
  expect(await dumpTables(platen.app)).not.toContain('mum-1');
});
