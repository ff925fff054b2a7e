import { In, IsNull, type EntityManager } from 'typeorm';
import type { App } from '../../app.ts';
import { StorefrontOrders } from '../../database/entities/orders.ts';
import { PrintOrders, type PrintOrder } from '../../database/entities/print-orders.ts';
import type { Step } from '../../database/entities/step-waits.ts';
import type { ShopifyError } from '../../shopify/admin/errors.ts';
import { toFieldName } from './describe-failure.ts';
import { recordStepWait, type Wait } from './record-step-wait.ts';

const DOING = {
  plan: 'read the order or answer its requests there',
  submit: 'read the order before sending it',
  push: 'mark the shipped items as fulfilled there',
};

/** A job's order or print order. */
export type OrderOrPrintOrder = { storefrontOrderId: string } | { printOrderId: string };

/** Records that a step cannot reach the store and when the step will run again. */
export async function recordStoreStepWait(
  app: App,
  about: OrderOrPrintOrder,
  step: keyof typeof DOING,
  error: ShopifyError,
  runAt: Date,
): Promise<void> {
  const why =
    error.field === null
      ? `The store cannot be reached (${error.sentence}), so Platen could not ${DOING[step]}.`
      : `The store sends a value that Platen cannot read (${error.field}), so Platen could not ${DOING[step]}.`;
  const words = error.userErrors.map(({ message }) => message).join(' ') || null;
  const seconds = (runAt.getTime() - app.clock.now().getTime()) / 1000;
  await recordStepWaitOf(app, about, { step, why, words, field: toFieldName(error.field), seconds, isExact: true });
}

/** Records a job's failure for each of the job's print orders, or for the order itself if it has no print orders. */
export async function recordStepWaitOf(app: App, about: OrderOrPrintOrder, wait: Wait): Promise<void> {
  const { manager } = app.db;
  const printOrders = await findPrintOrders(manager, about, wait.step);
  for (const printOrder of printOrders) await recordStepWait(app, manager, { ...printOrder, printOrder }, wait);
  // A failed quote or a failed step of one print order is never recorded as a wait of the order itself.
  if (printOrders.length > 0 || 'printOrderId' in about || wait.step === 'quote') return;
  const order = await manager.findOneBy(StorefrontOrders, { id: about.storefrontOrderId });
  if (order)
    await recordStepWait(app, manager, { shopId: order.shopId, storefrontOrderId: order.id, printOrder: null }, wait);
}

/**
 * Finds the print orders that a step covers: for a quote, the planned ones, and for a push, those with packages that the store does not
 * have yet.
 */
async function findPrintOrders(manager: EntityManager, about: OrderOrPrintOrder, step: Step): Promise<PrintOrder[]> {
  if ('printOrderId' in about) return manager.findBy(PrintOrders, { id: about.printOrderId });
  const { storefrontOrderId } = about;
  if (step === 'quote') return manager.findBy(PrintOrders, { storefrontOrderId, state: 'planned', closedAt: IsNull() });
  if (step !== 'push') return [];
  const rows: { id: string }[] = await manager.query(
    `select distinct p.id from print_orders p join packages k on k.print_order_id = p.id
     where p.storefront_order_id = $1 and k.confirmed_at is not null and k.pushed_at is null`,
    [storefrontOrderId],
  );
  return manager.findBy(PrintOrders, { id: In(rows.map(({ id }) => id)) });
}
