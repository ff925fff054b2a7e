import type { EntityManager } from 'typeorm';
import type { App } from '../../../app.ts';
import { PrintOrders, type PrintOrder } from '../../../database/entities/print-orders.ts';
import type { Shop } from '../../../database/entities/shops.ts';
import { hasDueJobSql } from '../../../jobs/has-job.ts';
import type { PrintEvent } from '../../../print/events.ts';
import { findShop } from '../../../shops/find-shop.ts';
import { readSettings } from '../../../shops/settings/settings.ts';
import { enqueueSubmit } from '../../enqueue/enqueue-submit.ts';
import { openOrder } from '../../rows/order-session.ts';
import { enqueueFollow } from '../../enqueue/enqueue-follow.ts';
import { computeGatherSeconds } from '../compute-gather-seconds.ts';
import { saveEventData } from './save-event-data.ts';
import { toReading } from './to-reading.ts';
import { truncateText } from '../../../truncate-text.ts';

const MAX_LOGGED = 64;

/**
 * Handles an event that its print order's next reading does not cover, such as an event that arrives before the order is confirmed. Events
 * are not signed, so an event only triggers a reading. For an unconfirmed order, Platen searches for the order's reference.
 */
export async function receivePrintEvent(app: App, shop: Shop, event: PrintEvent): Promise<void> {
  if (!('orderReferenceId' in event)) return;
  const printOrder = await findPrintOrder(app, shop, event.orderReferenceId);
  if (!printOrder) {
    const ids = { shopId: shop.id, event: event.kind, serviceOrderId: truncateText(event.orderId, MAX_LOGGED) };
    app.log.info(ids, 'an event about an unknown order was stored without effect');
    return;
  }
  const owner = printOrder.shopId === shop.id ? shop : await findShop(app, printOrder.shopId);
  const settings = readSettings(owner);
  const { extendedCalls } = settings;
  const waitSeconds = computeGatherSeconds(event, settings);
  // Most events only trigger a reading. The service sends several such events for each step of an order, so they are handled without
  // locking the order.
  if (isCoveredByReading(event, printOrder, extendedCalls)) {
    if (!(await isReadingDue(app, printOrder))) await enqueueReading(app.db.manager, printOrder, waitSeconds);
    return;
  }
  const order = await openOrder(app, { printOrderId: printOrder.id });
  // A print order's events are handled one at a time, so that an item's codes are counted correctly.
  await order?.change(async (manager) => {
    const current = await manager.findOneOrFail(PrintOrders, {
      where: { id: printOrder.id },
      lock: { mode: 'for_no_key_update' },
    });
    await saveEventData({ app, manager, printOrder: current, extendedCalls }, event);
    await enqueueReading(manager, current, waitSeconds);
  });
}

/** Returns whether a reading of the order would show everything that the event reports. */
function isCoveredByReading(event: PrintEvent, { printInterface }: PrintOrder, extendedCalls: boolean): boolean {
  const reading = toReading(event);
  return (
    reading !== null && !reading.hasExtraData && (!reading.isOfItem || printInterface !== 'current' || extendedCalls)
  );
}

/** Returns whether a reading is already due and will run after this event. */
async function isReadingDue({ db }: App, { id, confirmedAt }: PrintOrder): Promise<boolean> {
  const key = `${confirmedAt === null ? 'submit' : 'follow'}:${id}`;
  const [row]: { next: boolean }[] = await db.query(`select ${hasDueJobSql('$1')} as next`, [key]);
  return row?.next === true;
}

/** Enqueues a reading if the order is confirmed. Otherwise, enqueues the submit step, which searches by reference. */
async function enqueueReading(manager: EntityManager, printOrder: PrintOrder, waitSeconds: number): Promise<void> {
  if (printOrder.confirmedAt !== null) await enqueueFollow(manager, printOrder, { waitSeconds });
  else await enqueueSubmit(manager, printOrder);
}

/** Finds a print order by reference among the orders of the shop and of shops that share its print account. */
function findPrintOrder(app: App, shop: Shop, reference: string | null): Promise<PrintOrder | null> | null {
  if (reference === null) return null;
  const ofShop = { reference, shopId: shop.id };
  const ofAccount = shop.printAccountId === null ? [] : [{ reference, printAccountId: shop.printAccountId }];
  return app.db.manager.findOneBy(PrintOrders, [ofShop, ...ofAccount]);
}
