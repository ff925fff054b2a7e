import { afterAll, beforeAll, expect, test } from 'vitest';
import { Shops, type Shop } from '../../../src/database/entities/shops.ts';
import { StoreProductTemplates } from '../../../src/database/entities/templates.ts';
import { handleDelivery } from '../../../src/inbox/handle-delivery.ts';
import { parseEvent } from '../../../src/print/events.ts';
import { receiveTemplateEvent } from '../../../src/products/templates/receive-template-event.ts';
import { registerAddress } from '../../../sandbox/print/register-address.ts';
import { createPrintWebhookAddress } from '../../../src/shops/print-account/print-webhook-address.ts';
import { changeSettings } from '../../../src/shops/settings/settings.ts';
import { openPrintEndpoints, type PrintEndpoints } from '../print-endpoints.ts';
import { addShop, readDeliveriesOfShop, callApi } from '../test-app.ts';

let endpoints: PrintEndpoints;
let keys = 0;

beforeAll(async () => void (endpoints = await openPrintEndpoints()));
afterAll(() => endpoints.close());

interface Template {
  templateId: string;
  title: string;
  previewUrl: string | null;
  variants: { templateVariantId: string; productUid: string; options: object[]; imagePlaceholders: object[] }[];
}

const MUG = {
  title: 'Harbour Mug',
  variants: [
    {
      title: '11 oz',
      productUid: 'mug_product_msz_11-oz_mmat_ceramic-white_cl_4-0',
      variantOptions: [{ name: 'Size', value: '11 oz' }],
      imagePlaceholders: [{ name: 'ImageFront' }],
    },
  ],
};

/** Opens a shop with its own print account, whose events are sent to the shop's address. */
async function openShop(settings: Record<string, unknown> = {}) {
  const printKey = `sandbox-key-templates${(keys += 1)}`;
  const { id } = await addShop(endpoints.app.db);
  await changeSettings(endpoints.app, { id }, { printKey, ...settings });
  const shop = await endpoints.app.db.getRepository(Shops).findOneByOrFail({ id });
  const { pathname } = new URL(await createPrintWebhookAddress(endpoints.app, shop));
  await registerAddress(endpoints.printUrl, { key: printKey, url: `${endpoints.url}${pathname}`, headers: {} });
  return {
    shop,
    make: (template: object) => endpoints.control<{ id: string }>('POST', '/templates', { key: printKey, ...template }),
    /** Waits until `count` events have arrived at the shop's address, and handles each of them. */
    taken: async (count: number): Promise<void> => {
      await expect.poll(() => readDeliveriesOfShop(endpoints.app.db, shop), { timeout: 10_000 }).toHaveLength(count);
      for (const { id: deliveryId } of await readDeliveriesOfShop(endpoints.app.db, shop))
        await handleDelivery(endpoints.app, { deliveryId });
    },
  };
}

const ask = <Body>(path: string, of: Pick<Shop, 'domain'>) =>
  callApi<Body>(endpoints.url, of, ['GET', `/templates${path}`]);

const list = async (of: Pick<Shop, 'domain'>, path = '') =>
  (await ask<{ templates: Template[]; next: string | null }>(path, of)).body;

test('a new template is listed only for its own shop, with its variants and a refreshed preview', async () => {
  const { shop, make, taken } = await openShop();
  const other = await openShop();
  const { id } = await make(MUG);
  await taken(1);
  const { templates } = await list(shop);
  expect(templates).toMatchObject([
    {
      templateId: id,
      title: 'Harbour Mug',
      previewUrl: expect.stringMatching(/^https:.+X-Amz-Signature=/),
      variants: [{ options: [{ name: 'Size', value: '11 oz' }], imagePlaceholders: [{ name: 'ImageFront' }] }],
    },
  ]);
  const again = await list(shop);
  expect(again.templates[0]?.previewUrl).not.toBe(templates[0]?.previewUrl);
  expect(await list(other.shop)).toEqual({ templates: [], next: null });
  expect(await ask('/%00', other.shop)).toMatchObject({ status: 404 });
  expect(await ask(`/${id}`, other.shop)).toMatchObject({ status: 404 });
});

test('a change without an event is shown, and a deleted template is no longer listed', async () => {
  const { shop, make, taken } = await openShop();
  const [mug, poster] = [await make(MUG), await make({ ...MUG, title: 'Poster' })];
  await taken(2);
  await endpoints.control('POST', '/webhooks', { drop: 1 });
  await endpoints.control('POST', `/templates/${mug.id}`, { title: 'Harbour Mug, large' });
  await endpoints.control('POST', '/webhooks', { drop: 0 });
  expect((await ask<Template>(`/${mug.id}`, shop)).body.title).toBe('Harbour Mug, large');
  await endpoints.control('DELETE', `/templates/${poster.id}`);
  await expect
    .poll(async () => (await readDeliveriesOfShop(endpoints.app.db, shop)).at(-1)?.topic, { timeout: 10_000 })
    .toBe('store_product_template_deleted');
  await taken(3);
  expect((await list(shop)).templates.map(({ title }) => title)).toEqual(['Harbour Mug, large']);
});

test('a template that does not exist at the service gets 404, even if an event has reported the template', async () => {
  const { shop, make, taken } = await openShop();
  const { id } = await make(MUG);
  await taken(1);
  await endpoints.control('POST', '/webhooks', { drop: 1 });
  await endpoints.control('DELETE', `/templates/${id}`);
  await endpoints.control('POST', '/webhooks', { drop: 0 });
  const forged = { id: 'e', event: 'store_product_template_created', storeProductTemplateId: 'forged', ...MUG };
  await receiveTemplateEvent(endpoints.app, shop, parseEvent(forged), new Date());
  expect((await list(shop)).templates.map(({ templateId }) => templateId)).toEqual(['forged', id]);
  for (const one of ['forged', id])
    expect(await ask(`/${one}`, shop)).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
});

test('while extendedCalls is off, templates are shown as events reported them, without previews', async () => {
  const { shop, make, taken } = await openShop({ extendedCalls: false });
  const { id } = await make(MUG);
  await taken(1);
  expect((await list(shop)).templates).toMatchObject([{ templateId: id, title: 'Harbour Mug', previewUrl: null }]);
  expect(await ask(`/${id}`, shop)).toMatchObject({ status: 200, body: { previewUrl: null } });
});

test('templates are listed page by page, newest first, without the templates of the shop’s earlier print key', async () => {
  const { shop } = await openShop({ extendedCalls: false });
  const row = { shopId: shop.id, printAccountId: shop.printAccountId ?? 0, variants: [], knownAt: new Date() };
  const rows = Array.from({ length: 21 }, (_, index) => ({ ...row, templateId: `t${index}` }));
  await endpoints.app.db.getRepository(StoreProductTemplates).insert(rows);
  const first = await list(shop);
  const ids = rows.map(({ templateId }) => templateId);
  expect(first.templates.map(({ templateId }) => templateId)).toEqual(ids.slice(1).toReversed());
  expect(await list(shop, `?after=${first.next}`)).toMatchObject({ templates: [{ templateId: 't0' }], next: null });
  await changeSettings(endpoints.app, shop, { printKey: `sandbox-key-templates${(keys += 1)}` });
  expect((await list(shop)).templates).toEqual([]);
  expect(await ask('?after=x', shop)).toMatchObject({ status: 400, body: { error: { field: 'after' } } });
});
