import { expect, test } from 'vitest';
import { PrintLinks } from '../../../src/database/entities/products.ts';
import { readVariants } from '../../../src/shopify/calls/products.ts';
import { openAdmin } from '../../../src/shops/tokens/tokens.ts';
import { eventually } from '../../helpers/eventually.ts';
import { platen, testPlaten } from '../../helpers/test-platen.ts';
import { runAlongside } from '../../helpers/run-alongside.ts';

const TEMPLATE = '5eed0000-0000-4000-8003-000000000200';
const STORE = '5eed0000-0000-4000-8000-000000000001';
const FILE = 'https://files.example/mug.png';
testPlaten();

const run = (...args: string[]) => runAlongside(platen, ...args);

async function stockEverythingAt(location: string): Promise<void> {
  const variants = (await platen.control('store', 'GET', '/variants')) as { variantId: string }[];
  for (const { variantId } of variants)
    await platen.control('store', 'POST', `/variants/${encodeURIComponent(variantId)}/stock`, { location });
}

test('platen location plans, applies and lists the changes at Platen’s location', async () => {
  await stockEverythingAt('own');
  const plan = await run('location', 'plan', 'demo');
  expect(plan).toMatchObject({ code: 0, stderr: '' });
  expect(plan.stdout).toMatch(/^9 variants would be stocked at Platen's location:$/m);
  expect(plan.stdout).toMatch(/MUG-11OZ +Harbour Mug, 11 oz/);
  expect(plan.stdout).toMatch(/Nothing was changed/);
  const apply = await run('location', 'apply', 'demo');
  expect(apply).toMatchObject({ code: 0, stdout: 'Platen stocks 9 variants at its location.\n' });
  const planned = await run('location', 'plan', 'demo', '--json');
  expect(JSON.parse(planned.stdout)).toMatchObject({ toStock: [], toUnstock: [], unchanged: 9 });
  const listed = await run('location', 'list', 'demo');
  expect(listed.stdout).toMatch(/Harbour Cards +stocked/);
  expect(JSON.parse((await run('location', 'list', 'demo', '--problems', '--json')).stdout)).toEqual([]);
});

test('the catalog can be searched, and the available filters are listed', async () => {
  expect((await run('catalog', 'search', '--shop', 'demo')).stdout).toMatch(/^mugs +Mugs$/m);
  const found = await run('catalog', 'search', 'mugs', '--shop', 'demo', '--filter', 'MugSize=15-oz,12-oz');
  expect(found).toMatchObject({ code: 0, stderr: '' });
  expect(found.stdout).toMatch(/^mug_product_msz_15-oz_mmat_ceramic-white_cl_4-0 /m);
  expect(found.stdout).not.toContain('msz_11-oz');
  expect(found.stdout).toMatch(/^ {2}MugSize "Size"\n {4}15-oz "15 oz" \(5\), 12-oz "12 oz" \(1\)$/m);
  expect(await run('catalog', 'search', 'none', '--shop', 'demo')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('does not have the catalog none'),
  });
  expect(await run('catalog', 'search', 'mugs', '--shop', 'demo', '--filter', 'MugSize')).toMatchObject({ code: 2 });
});

test('catalog products and templates are listed in lines of at most 140 characters', async () => {
  for (const args of [
    ['catalog', 'search', 'mugs'],
    ['templates', 'list'],
  ]) {
    const { stdout } = await run(...args, '--shop', 'demo');
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(140);
  }
  const list = async () => (await run('templates', 'list', '--shop', 'demo')).stdout;
  expect(await list()).toMatch(/^No templates are known yet\./);
  // The change sends an event that informs Platen of the template.
  await platen.control('print', 'POST', `/templates/${TEMPLATE}`, { title: 'Harbour Mug, blue' });
  await eventually(list).toMatch(
    new RegExp(`^TEMPLATE +TITLE +VARIANTS +IMAGES +TEXTS\n${TEMPLATE} +Harbour Mug, blue +2 `),
  );
  const json = JSON.parse((await run('templates', 'list', '--shop', 'demo', '--json')).stdout) as unknown[];
  expect(json).toContainEqual(expect.objectContaining({ templateId: TEMPLATE }));
});

test('a dry run lists the links from a template, and a second run saves them', async () => {
  const { app, shop } = platen;
  const { manager } = app.db;
  const variants = (await platen.control('store', 'GET', '/variants')) as { sku: string; variantId: string }[];
  const mug = variants.find(({ sku }) => sku === 'MUG-11OZ')?.variantId ?? '';
  const [variant] = await readVariants(await openAdmin(app, shop), [mug]);
  const product = variant?.product.id ?? '';
  await manager.delete(PrintLinks, { shopId: shop.id });
  const args = ['links', 'from-template', TEMPLATE, product, '--shop', 'demo', '--file', FILE];
  const dry = await run(...args, '--dry-run');
  expect(dry).toMatchObject({ code: 0, stderr: '' });
  expect(dry.stdout).toContain('Without --dry-run: 2 new, 0 changed, 0 unchanged, 0 not linked.');
  expect(await manager.countBy(PrintLinks, { shopId: shop.id })).toBe(0);
  const saved = await run(...args, '--file', `${mug.split('/').at(-1)}=https://files.example/small.png`, '--json');
  expect(JSON.parse(saved.stdout)).toMatchObject({ created: 2, notLinked: [] });
  expect(await manager.findOneBy(PrintLinks, { shopId: shop.id, shopifyVariantId: mug })).toMatchObject({
    productUid: 'mug_product_msz_11-oz_mmat_ceramic-white_cl_4-0',
    fileUrl: 'https://files.example/small.png',
  });
});

test('a product is created from a template, and a failure is reported with its reason', async () => {
  const create = (title: string, file: string) =>
    run(
      'products',
      'create',
      TEMPLATE,
      '--shop',
      'demo',
      '--store',
      STORE,
      '--title',
      title,
      '--image',
      `ImageFront=${file}`,
    );
  const made = await create('Harbour Mug, new', FILE);
  expect(made).toMatchObject({
    code: 0,
    stderr: '',
    stdout: expect.stringMatching(/is published as product \d+ in the store/),
  });
  const failed = await create('Harbour Mug, drawn', 'https://files.example/mug.svg');
  expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining('unsupported_file_type') });
  expect(await run('products', 'create', TEMPLATE, '--shop', 'demo')).toMatchObject({ code: 2 });
});
