import { afterAll, beforeAll, expect, test } from 'vitest';
import { Shops, type Shop } from '../../../src/database/shops.ts';
import { StoreProductTemplates } from '../../../src/database/templates.ts';
import { parseEvent } from '../../../src/print/events.ts';
import { receiveTemplateEvent } from '../../../src/products/templates/receive-template-event.ts';
import { findOrMakePrintAccount } from '../../../src/shops/print-account.ts';
import { addShop, openTestApp, type OpenTestApp } from '../../http/test-app.ts';

let app: OpenTestApp;
let shop: Shop;

beforeAll(async () => {
  app = await openTestApp();
  const { id } = await addShop(app.db);
  const { id: printAccountId } = await findOrMakePrintAccount(app, 'sandbox-key');
  await app.db.manager.update(Shops, { id }, { printAccountId });
  shop = await app.db.manager.findOneByOrFail(Shops, { id });
});
afterAll(() => app.close());

const told = (templateId: string, what: string, more: Record<string, unknown> = {}) =>
  parseEvent({ id: 'e', event: `store_product_template_${what}`, storeProductTemplateId: templateId, ...more });
const receive = (event: ReturnType<typeof told>, at = '2026-11-20T10:00:00Z', of = shop) =>
  receiveTemplateEvent(app, of, event, new Date(at));
const find = (templateId: string) => app.db.manager.findOneBy(StoreProductTemplates, { shopId: shop.id, templateId });

test('events that come in another order end in the same', async () => {
  const newer = { title: 'Newer', updatedAt: '2026-11-20T09:00:05+0000' };
  const older = { title: 'Older', updatedAt: '2026-11-20T09:00:00+0000' };
  await receive(told('one', 'created', older));
  await receive(told('one', 'updated', newer));
  await receive(told('other', 'updated', newer));
  await receive(told('other', 'created', older));
  expect([(await find('one'))?.title, (await find('other'))?.title]).toEqual(['Newer', 'Newer']);
});

test('a time that is yet to come is not believed: what is told later counts', async () => {
  await receive(told('future', 'created', { title: 'First', updatedAt: '2099-01-01T00:00:00+0000' }));
  await receive(told('future', 'updated', { title: 'Second' }), '2026-11-20T10:00:01Z');
  expect((await find('future'))?.title).toBe('Second');
});

test('what was deleted does not come back by an event that is late, known before or not', async () => {
  for (const first of [true, false]) {
    const id = `gone-${first}`;
    if (first) await receive(told(id, 'created', { title: 'Mug' }));
    await receive(told(id, 'deleted'));
    await receive(told(id, 'updated', { title: 'Mug' }), '2026-11-20T11:00:00Z');
    expect((await find(id))?.deletedAt).not.toBeNull();
  }
});

test('a variant without an id, or with one that came before, is left out', async () => {
  const variants = [{ id: 'v1', title: 'A' }, { title: 'B' }, { id: 'v1', title: 'C' }];
  await receive(told('variants', 'created', { variants }));
  expect((await find('variants'))?.variants).toMatchObject([{ templateVariantId: 'v1', title: 'A' }]);
});

test('an option that is told in part is kept, so that its variant passes for none without it', async () => {
  const variantOptions = [{ name: 'Size', value: '11 oz' }, { name: 'Colour' }];
  await receive(told('options', 'created', { variants: [{ id: 'v1', variantOptions }] }));
  expect((await find('options'))?.variants[0]?.options).toEqual([
    { name: 'Size', value: '11 oz' },
    { name: 'Colour', value: '' },
  ]);
});

test('an event of a strange id, or for a shop without a print account, changes nothing', async () => {
  expect(await receive(told('../../v4/orders', 'created'))).toBe('not_understood');
  const bare = await addShop(app.db);
  expect(await receive(told('mug', 'created'), undefined, bare)).toBe('no_print_account');
  expect(await app.db.manager.countBy(StoreProductTemplates, { shopId: bare.id })).toBe(0);
});
