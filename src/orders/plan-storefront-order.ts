import type { EntityManager } from 'typeorm';
import type { App } from '../app.ts';
import { StorefrontOrders, type StorefrontOrder } from '../database/orders.ts';
import { Shops, type Shop } from '../database/shops.ts';
import { readInstallation } from '../shops/installation.ts';
import { readSettings } from '../shops/settings.ts';
import { openAdmin } from '../shops/tokens.ts';
import { askForFulfillment } from './ask-for-fulfillment.ts';
import { checkOtherApp } from './check-other-app.ts';
import { enqueuePlan } from './enqueue-plan.ts';
import { planOrder } from './plan-order.ts';
import type { Plan } from './plan.ts';
import { readOwnRows, readPlanFacts, sameRows, type OwnRows } from './read-plan-facts.ts';
import { readStore } from './read-store.ts';
import { reconcilePrintOrders } from './reconcile-print-orders.ts';
import { toRecipient } from './to-recipient.ts';
import { writePlan, type PlanScope } from './write-plan.ts';

/** Rounds of reading, planning and asking for fulfilment before the order is left for its next look. */
const ROUNDS = 4;

interface OrderToPlan {
  shop: Shop;
  storefrontOrder: StorefrontOrder;
}

/**
 * Reads an order from the store, decides what becomes of it and writes that down with the jobs that follow.
 * Safe to repeat at any time; runs in the order's queue. Returns the plan, null when there is none to go by. Throws ShopifyError when the store cannot be read.
 */
export async function planStorefrontOrder(
  app: App,
  { storefrontOrderId }: { storefrontOrderId: string },
): Promise<Plan | null> {
  for (let round = 1; round <= ROUNDS; round += 1) {
    const found = await findOrder(app.db.manager, storefrontOrderId);
    if (!found || found.shop.state !== 'installed') return null;
    // Our rows first: what is printed in between then only counts more, never less.
    const before = await readOwnRows(app.db.manager, storefrontOrderId);
    const admin = await openAdmin(app, found.shop);
    const reading = await readStore(admin, found.storefrontOrder.shopifyOrderId);
    if (!reading) {
      await markGone(app, found.storefrontOrder);
      return null;
    }
    await checkOtherApp(app, found.shop, { onlyFirst: true });
    const installation = await readInstallation(app);
    const plan = await app.db.transaction((manager) =>
      planInTransaction({ app, manager, storefrontOrderId, before, reading, installation }),
    );
    if (plan === 'changed') continue;
    if (plan === null || (plan.requests.length === 0 && plan.accepts.length === 0)) return plan;
    await askForFulfillment(app, admin, found, plan);
  }
  // The store did not follow: look again when it may have.
  const runAt = new Date(app.now().getTime() + 30_000);
  await enqueuePlan(app, app.db.manager, storefrontOrderId, runAt);
  return null;
}

async function findOrder(manager: EntityManager, id: string): Promise<OrderToPlan | null> {
  const storefrontOrder = await manager.findOneBy(StorefrontOrders, { id });
  const shop = storefrontOrder && (await manager.findOneBy(Shops, { id: storefrontOrder.shopId }));
  return storefrontOrder && shop ? { shop, storefrontOrder } : null;
}

/** Counts again on our rows as they are under the order's lock; 'changed' when they are not what was read before. */
async function planInTransaction(
  given: Pick<PlanScope, 'app' | 'manager' | 'reading' | 'installation'> & {
    storefrontOrderId: string;
    before: OwnRows;
  },
): Promise<Plan | 'changed' | null> {
  const { app, manager, storefrontOrderId, before, reading, installation } = given;
  const storefrontOrder = await manager.findOne(StorefrontOrders, {
    where: { id: storefrontOrderId },
    lock: { mode: 'for_no_key_update' },
  });
  const shop = storefrontOrder && (await manager.findOneBy(Shops, { id: storefrontOrder.shopId }));
  if (!storefrontOrder || !shop || shop.state !== 'installed') return null;
  // References carry the name: it is taken from the store once and kept, also should the store rename the order.
  storefrontOrder.name ||= reading.name;
  const rows = await readOwnRows(manager, storefrontOrderId);
  if (!sameRows(before, rows)) return 'changed';
  const settings = readSettings(shop);
  const { anotherAppPrints, ...facts } = await readPlanFacts(manager, shop, reading, rows);
  const { locationId, takesOrdersFrom, printAccountId } = shop;
  const recipient = toRecipient(reading, shop, settings);
  const plan = planOrder({
    order: reading,
    shop: { locationId, takesOrdersFrom, hasPrintAccount: printAccountId !== null, anotherAppPrints },
    settings,
    ...facts,
    recipient,
    now: app.now(),
  });
  const scope = { app, manager, shop, storefrontOrder, settings, plan, rows, reading, installation };
  await writePlan(scope);
  await reconcilePrintOrders(scope, recipient);
  if (plan.lookAgainAt) await enqueuePlan(app, manager, storefrontOrderId, plan.lookAgainAt);
  return plan;
}

async function markGone(app: App, storefrontOrder: StorefrontOrder): Promise<void> {
  await app.db.manager.update(
    StorefrontOrders,
    { id: storefrontOrder.id },
    { outcome: 'nothing_to_do', outcomeReason: 'not_found' },
  );
}
