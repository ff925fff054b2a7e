import { In, type EntityManager } from 'typeorm';
import type { App } from '../../app.ts';
import { StorefrontOrders } from '../../database/orders.ts';
import { PrintOrders, type PrintOrder } from '../../database/print-orders.ts';
import type { ShopifyError } from '../../shopify/errors.ts';
import { waitForStep, type Wait } from './wait-for-step.ts';

const DOING = {
  plan: 'read the order or answer its requests there',
  submit: 'read the order before it is sent',
  push: 'mark what was shipped as fulfilled there',
};

/** The store cannot be asked now: the step that needs it is noted with when it runs again. */
export async function waitForStoreStep(
  app: App,
  about: { storefrontOrderId: string } | { printOrderId: string },
  step: keyof typeof DOING,
  error: ShopifyError,
  runAt: Date,
): Promise<void> {
  const why = `The store cannot be asked (${error.sentence}): Platen could not ${DOING[step]}.`;
  const words = error.userErrors.map(({ message }) => message).join(' ') || null;
  const seconds = (runAt.getTime() - app.now().getTime()) / 1000;
  const wait: Wait = { step, why, words, seconds, isExact: true };
  const { manager } = app.db;
  const orders = 'printOrderId' in about ? [] : await findPushed(manager, about.storefrontOrderId, step);
  const printOrders = 'printOrderId' in about ? await manager.findBy(PrintOrders, { id: about.printOrderId }) : orders;
  for (const printOrder of printOrders) await waitForStep(app, manager, { ...printOrder, printOrder }, wait);
  if (printOrders.length > 0 || 'printOrderId' in about) return;
  const order = await manager.findOneBy(StorefrontOrders, { id: about.storefrontOrderId });
  if (order)
    await waitForStep(app, manager, { shopId: order.shopId, storefrontOrderId: order.id, printOrder: null }, wait);
}

/** A push is about the print orders whose packages are not in the store. */
async function findPushed(
  manager: EntityManager,
  storefrontOrderId: string,
  step: keyof typeof DOING,
): Promise<PrintOrder[]> {
  if (step !== 'push') return [];
  const rows: { id: string }[] = await manager.query(
    `select distinct p.id from print_orders p join packages k on k.print_order_id = p.id
     where p.storefront_order_id = $1 and k.confirmed_at is not null and k.pushed_at is null`,
    [storefrontOrderId],
  );
  return manager.findBy(PrintOrders, { id: In(rows.map(({ id }) => id)) });
}
