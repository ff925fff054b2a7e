import { IsNull, Not, type EntityManager } from 'typeorm';
import type { App } from '../../app.ts';
import type { StorefrontOrder } from '../../database/entities/orders.ts';
import { Fulfillments, PackageItems, Packages } from '../../database/entities/packages.ts';
import {
  PrintOrderLines,
  PrintOrders,
  type PrintOrder,
  type PrintOrderLine,
} from '../../database/entities/print-orders.ts';
import { isLiveFulfillment } from '../facts/store-quantities.ts';
import type { StoreFulfillment, StoreReading } from '../facts/store-reading.ts';

/**
 * Adds the fulfillments in the store that no row explains, even canceled ones, so that Platen creates none of them again. Each belongs to the
 * print order that has its tracking codes. An interface that shows no packages shows no codes either: there, a canceled fulfillment belongs to
 * the first print order that has all of its lines and no package, which is then held (`fulfillment_canceled`). A later event may report its
 * codes, so they count as pushed.
 */
export async function addForgottenFulfillments(
  app: App,
  { id: storefrontOrderId }: Pick<StorefrontOrder, 'id'>,
  { fulfillments }: StoreReading,
  { showsPackages }: { showsPackages: boolean },
): Promise<void> {
  await app.db.transaction(async (manager) => {
    const rows = await manager.findBy(Fulfillments, { storefrontOrderId });
    const unknown = fulfillments.filter(({ id }) => rows.every((row) => row.shopifyFulfillmentId !== id));
    if (unknown.length === 0) return;
    const sent = { storefrontOrderId, confirmedAt: Not(IsNull()), fencedAt: IsNull() };
    const printOrders = await manager.find(PrintOrders, { where: sent, order: { part: 'ASC' } });
    for (const printOrder of printOrders) await addByCodes(manager, printOrder, unknown, app.clock.now());
    if (!showsPackages) await addByLines(manager, printOrders, unknown, app.clock.now());
  });
}

async function addByCodes(
  manager: EntityManager,
  printOrder: PrintOrder,
  unknown: readonly StoreFulfillment[],
  now: Date,
): Promise<void> {
  const packages = await manager.findBy(Packages, { printOrderId: printOrder.id });
  const codes = new Set(packages.map(({ trackingCode }) => trackingCode));
  const own = unknown.filter(({ trackingCodes }) => trackingCodes.some((code) => codes.has(code)));
  for (const one of own) {
    const trackingCodes = one.trackingCodes.filter((code) => codes.has(code));
    await insertFulfillment(manager, printOrder, { ...one, trackingCodes }, now);
  }
  const shown = new Set(own.flatMap(({ trackingCodes }) => trackingCodes));
  for (const { id, trackingCode, pushedAt } of packages)
    if (pushedAt === null && shown.has(trackingCode)) await manager.update(Packages, { id }, { pushedAt: now });
}

async function addByLines(
  manager: EntityManager,
  printOrders: readonly PrintOrder[],
  unknown: readonly StoreFulfillment[],
  now: Date,
): Promise<void> {
  for (const one of unknown.filter((each) => !isLiveFulfillment(each))) {
    for (const printOrder of printOrders) {
      const of = { printOrderId: printOrder.id };
      const own = await manager.findBy(PrintOrderLines, of);
      const hasAll = one.lines.every(({ lineItem, quantity }) =>
        own.some((line) => line.shopifyLineItemId === lineItem.id && line.quantity >= quantity),
      );
      if (!hasAll || (await manager.existsBy(Packages, of)) || (await manager.existsBy(Fulfillments, of))) continue;
      await insertFulfillment(manager, printOrder, one, now);
      await insertPackages(manager, printOrder, one, own, now);
      break;
    }
  }
}

async function insertPackages(
  manager: EntityManager,
  { id: printOrderId, serviceOrderId }: PrintOrder,
  { trackingCodes, lines }: StoreFulfillment,
  own: readonly PrintOrderLine[],
  pushedAt: Date,
): Promise<void> {
  if (serviceOrderId === null) return;
  for (const trackingCode of trackingCodes) {
    const { identifiers } = await manager.insert(Packages, {
      printOrderId,
      serviceOrderId,
      trackingCode,
      confirmedAt: pushedAt,
      pushedAt,
    });
    const packageId = String(identifiers[0]?.['id']);
    const inside = own.filter((line) => lines.some(({ lineItem }) => lineItem.id === line.shopifyLineItemId));
    await manager.insert(
      PackageItems,
      inside.map(({ itemReferenceId }) => ({ packageId, itemReferenceId, quantity: null })),
    );
  }
}

async function insertFulfillment(
  manager: EntityManager,
  { id: printOrderId, shopId, storefrontOrderId, shopifyFulfillmentOrderId }: PrintOrder,
  { id: shopifyFulfillmentId, lines, trackingCodes }: StoreFulfillment,
  endedAt: Date,
): Promise<void> {
  await manager.insert(Fulfillments, {
    shopId,
    storefrontOrderId,
    printOrderId,
    shopifyFulfillmentOrderId,
    shopifyFulfillmentId,
    state: 'done',
    lines: lines.map(({ lineItem, quantity }) => ({ shopifyLineItemId: lineItem.id, quantity })),
    trackingCodes,
    endedAt,
  });
}
