import { planStorefrontOrder } from '../../../src/orders/plan/plan-storefront-order.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { IsNull } from 'typeorm';
import { Holds, StorefrontOrders } from '../../../src/database/entities/orders.ts';
import { PrintOrders } from '../../../src/database/entities/print-orders.ts';
import { type ConnectionStatus } from '../../../src/database/entities/products.ts';
import { planOrder } from '../../../src/orders/plan/decide/plan-order.ts';
import type { PlanInput } from '../../../src/orders/plan/decide/plan.ts';
import { receiveOrder } from '../../../src/orders/intake/receive-order.ts';
import { deleteLink } from '../../../src/products/links/delete-link.ts';
import { saveLink } from '../../../src/products/links/save-link.ts';
import { toTasks } from '../../../src/tasks.ts';
import { readJobPayloads } from '../../http/test-app.ts';
import { openPrintStore, type PrintStoreWorld } from '../../products/store-products/print-store.ts';
import { lineItem, planInput, sentUnits } from './plan-input.ts';

const sent = (id: string, quantity = 2) => sentUnits(id, quantity);

describe('a line that was sent to print', () => {
  const input = (change: Partial<PlanInput> = {}) =>
    planInput({}, { links: new Map(), prints: [sent('a')], ...change });
  const decide = (change: Partial<PlanInput> = {}) => {
    const { holds, lines, wanted } = planOrder(input(change));
    return { codes: holds.map(({ code }) => code), decisions: lines.map(({ decision }) => decision), wanted };
  };
  const OURS = { codes: [], decisions: ['ours'], wanted: [] };

  test('a sent line is not held if its print link was deleted', () => {
    expect(decide()).toEqual(OURS);
  });

  test.each<ConnectionStatus>(['connected', 'not_connected', 'ignored'])(
    'a sent line does not change when its variant becomes %s',
    (status) => {
      expect(decide({ connections: new Map([['variant-a', status]]) })).toEqual(OURS);
    },
  );

  test('a sent line is held if units are added to it, or while another print order may still replace its print order', () => {
    expect(decide({ prints: [sent('a', 1)] }).codes).toEqual(['no_print_link']);
    expect(decide({ prints: [{ ...sent('a'), isReplaceable: true }] }).codes).toEqual(['no_print_link']);
  });

  test('a line in an edited draft does not count as sent, so the current state of its variant decides', () => {
    const decideEdited = (status: ConnectionStatus) =>
      decide({ prints: [{ ...sent('a'), isEditedDraft: true }], connections: new Map([['variant-a', status]]) });
    expect(decideEdited('not_connected').codes).toEqual(['not_connected']);
    expect(decideEdited('ignored').decisions).toEqual(['not_ours']);
  });

  test('a line that is added to a sent order is printed if it has a print link, and held if not', () => {
    const lineItems = [lineItem('a'), lineItem('b')];
    const linked = planInput({ lineItems }, { prints: [sent('a')] });
    const withLinkOf = (...ids: string[]) =>
      planOrder({ ...linked, links: new Map([...linked.links].filter(([id]) => ids.includes(id))) });
    const printed = withLinkOf('variant-b');
    expect([printed.holds, printed.wanted]).toMatchObject([[], [{ items: [{ shopifyLineItemId: 'b' }] }]]);
    const held = withLinkOf();
    expect(held.wanted).toEqual([]);
    expect(held.holds).toMatchObject([{ code: 'no_print_link', shopifyLineItemId: 'b' }]);
    expect(held.holds).toHaveLength(1);
  });
});

describe('an order whose print link is deleted before the order is sent', () => {
  let world: PrintStoreWorld;
  beforeAll(async () => void (world = await openPrintStore()));
  afterAll(() => world.close());

  test("an unsent line whose print link is deleted waits for a new link, even at the merchant's location", async () => {
    const { app, shop } = world;
    await world.set({ delayMinutes: 0 });
    const variantId = (await world.shopProduct('POSTER-30X40')).variants['POSTER-30X40'] ?? '';
    await world.inStore(`/variants/${variantId}/stock`, { location: 'own' });
    const link = { variantId, productUid: 'poster', fileUrl: 'https://files.example/poster.pdf' };
    await saveLink(app, shop, link);
    const { id: shopifyOrderId } = await world.buy({ 'POSTER-30X40': 1 });
    await receiveOrder(app, shop, shopifyOrderId);
    const { id: storefrontOrderId } = await app.db.manager.findOneByOrFail(StorefrontOrders, { shopifyOrderId });
    const plan = () => planStorefrontOrder(app, { storefrontOrderId });
    const holds = async () => {
      const all = await app.db.manager.findBy(Holds, { storefrontOrderId, resolvedAt: IsNull() });
      return all.map(({ code }) => code);
    };
    const prints = () => app.db.manager.findBy(PrintOrders, { storefrontOrderId });
    await plan();
    expect(await prints()).toMatchObject([{ state: 'planned', closedAt: null }]);
    await deleteLink(app, shop, { shopifyVariantId: `gid://shopify/ProductVariant/${variantId}`, sku: null });
    // Any webhook about the order plans it again.
    await plan();
    expect(await holds()).toEqual(['no_print_link']);
    await app.db.query('delete from graphile_worker._private_jobs');
    await saveLink(app, shop, link);
    await toTasks(app).plan_linked_orders({ shopId: shop.id });
    expect(await readJobPayloads(app.db, 'plan_order')).toEqual([{ storefrontOrderId }]);
    await plan();
    expect([await holds(), await prints()]).toMatchObject([[], [{ state: 'planned', closedAt: null }]]);
  });
});
