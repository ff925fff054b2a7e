import { beforeAll, expect, test } from 'vitest';
import { refreshGrantedScopes } from '../../../src/shops/tokens/scopes.ts';
import { changeSettings } from '../../../src/shops/settings/settings.ts';
import { platen, testPlaten } from '../../helpers/test-platen.ts';
import { eventually } from '../../helpers/eventually.ts';

// The tests cover product metafields: Platen writes some of them and reads others that merchants fill in.

interface Metafield {
  ownerId: string;
  key: string;
  value: string;
}

let variants: { sku: string; variantId: string }[];

testPlaten({ advanceSeconds: null });
beforeAll(async () => {
  variants = (await platen.control('store', 'GET', '/variants')) as typeof variants;
}, 60_000);

const idOf = (sku: string) => variants.find((one) => one.sku === sku)?.variantId ?? '';
const set = (settings: object) => changeSettings(platen.app, platen.shop, settings);

async function shown(ownerId: string, key: string): Promise<string | null> {
  const all = (await platen.control('store', 'GET', '/metafields')) as Metafield[];
  return all.find((one) => one.ownerId === ownerId && one.key === key)?.value ?? null;
}

test('variants get metafields with their connection status within seconds after the permission is granted', async () => {
  await expect(set({ writesConnectionStatus: true })).rejects.toThrow(/write_products/);
  await platen.control('store', 'POST', `/shops/${platen.shop.domain}/scopes`, { grant: ['write_products'] });
  await refreshGrantedScopes(platen.app, platen.shop);
  await set({ writesConnectionStatus: true });
  const mug = idOf('MUG-11OZ');
  await eventually(() => shown(mug, 'connection_status')).toBe('connected');

  const poster = idOf('POSTER-13X18');
  const response = await fetch(`${platen.storeUrl}/_control/variants/${poster.split('/').at(-1)}`, {
    method: 'DELETE',
  });
  expect(response.ok).toBe(true);
  await eventually(() => shown(poster, 'connection_status')).toBeNull();

  await set({ writesConnectionStatus: false });
  await eventually(() => shown(mug, 'connection_status')).toBeNull();
});

test('a variant whose print metafields are filled in is printed until the metafields are cleared', async () => {
  await set({ printLinkMetafields: 'print' });
  const vase = idOf('VASE');
  const { productUid } = (await productOf('MUG-11OZ')) ?? { productUid: '' };
  const fill = (key: string, value: string | null) =>
    platen.control('store', 'POST', '/metafields', {
      ownerId: vase,
      namespace: 'print',
      key,
      type: 'single_line_text_field',
      value,
    });
  // Fills in the product last, so that no reading in between creates a link without the file.
  await fill('file_url', 'https://files.example/vase.pdf');
  await fill('product_uid', productUid);
  const linked = async () => (await productOf('VASE'))?.productUid ?? null;
  await eventually(linked).toBe(productUid);
  const order = await platen.placeSkus({ VASE: 1 });
  await platen.untilState(order.id, 'printing');

  await fill('product_uid', null);
  await fill('file_url', null);
  await eventually(linked).toBeNull();
  const next = await platen.placeSkus({ VASE: 1 });
  await platen.untilState(next.id, 'nothing_to_do');
});

async function productOf(sku: string): Promise<{ productUid: string } | null> {
  const [row]: { productUid: string }[] = await platen.app.db.query(
    `select product_uid as "productUid" from print_links where shop_id = $1 and (shopify_variant_id = $2 or sku = $3) limit 1`,
    [platen.shop.id, idOf(sku), sku],
  );
  return row ?? null;
}
