import { afterAll, beforeAll, expect, test } from 'vitest';
import { Shops, type Shop } from '../../../src/database/entities/shops.ts';
import { StoreProductTemplates } from '../../../src/database/entities/templates.ts';
import { parseEvent } from '../../../src/print/events.ts';
import { receiveTemplateEvent } from '../../../src/products/templates/receive-template-event.ts';
import { findOrCreatePrintAccount } from '../../../src/shops/print-account/print-account.ts';
import { addShop, openTestApp, type OpenTestApp } from '../../http/test-app.ts';

let app: OpenTestApp;
let shop: Shop;

beforeAll(async () => {
  app = await openTestApp();
  shop = await addShopOf('sandbox-key');
});
afterAll(() => app.close());

/** Adds a shop with a print key. */
async function addShopOf(printKey: string): Promise<Shop> {
  const { id } = await addShop(app.db);
  const { id: printAccountId } = await findOrCreatePrintAccount(app, printKey);
  await app.db.manager.update(Shops, { id }, { printAccountId });
  return app.db.manager.findOneByOrFail(Shops, { id });
}

const eventOf = (templateId: string, what: string, more: Record<string, unknown> = {}) =>
  parseEvent({ id: 'e', event: `store_product_template_${what}`, storeProductTemplateId: templateId, ...more });
const receive = (event: ReturnType<typeof eventOf>, at = '2026-11-20T10:00:00Z', of = shop) =>
  receiveTemplateEvent(app, of, event, new Date(at));
const find = (templateId: string, of = shop) =>
  app.db.manager.findOneBy(StoreProductTemplates, { shopId: of.id, templateId });

test('template events have the same result in any order', async () => {
  const newer = { title: 'Newer', updatedAt: '2026-11-20T09:00:05+0000' };
  const older = { title: 'Older', updatedAt: '2026-11-20T09:00:00+0000' };
  await receive(eventOf('one', 'created', older));
  await receive(eventOf('one', 'updated', newer));
  await receive(eventOf('other', 'updated', newer));
  await receive(eventOf('other', 'created', older));
  expect([(await find('one'))?.title, (await find('other'))?.title]).toEqual(['Newer', 'Newer']);
});

test('an event that arrives late does not restore a deleted template, even if the template was previously unknown', async () => {
  for (const first of [true, false]) {
    const id = `gone-${first}`;
    if (first) await receive(eventOf(id, 'created', { title: 'Mug' }));
    await receive(eventOf(id, 'deleted'));
    await receive(eventOf(id, 'updated', { title: 'Mug' }), '2026-11-20T11:00:00Z');
    expect((await find(id))?.deletedAt).not.toBeNull();
  }
});

test('a template is saved for every installed shop of its print account, and for no other shop', async () => {
  const sister = await addShopOf('sandbox-key');
  const stranger = await addShopOf('sandbox-key-another');
  const left = await addShopOf('sandbox-key');
  await app.db.manager.update(Shops, { id: left.id }, { state: 'uninstalled' });
  await receive(eventOf('shared', 'created', { title: 'Mug', variants: [{ id: 'v1', title: 'Blue' }] }));
  expect(await find('shared', sister)).toMatchObject({
    title: 'Mug',
    printAccountId: shop.printAccountId,
    variants: [{ templateVariantId: 'v1', title: 'Blue' }],
    deletedAt: null,
  });
  await receive(eventOf('shared', 'deleted'), '2026-11-20T10:00:01Z', sister);
  await receive(eventOf('shared', 'updated', { title: 'Mug' }), '2026-11-20T10:00:02Z');
  expect([(await find('shared'))?.deletedAt, (await find('shared', sister))?.deletedAt]).not.toContain(null);
  for (const other of [stranger, left]) expect(await find('shared', other)).toBeNull();
});
