import type { EntityManager } from 'typeorm';
import type { App } from '../../app.ts';
import { StorefrontOrders } from '../../database/entities/orders.ts';
import { PrintOrderLines, PrintOrders, ServiceOrders, type PrintOrder } from '../../database/entities/print-orders.ts';
import { parseTimestamp } from '../../print/parse-timestamp.ts';
import type { PrintAccount } from '../../database/entities/shops.ts';
import type { PortOrder, PrintPort } from '../../print/port.ts';
import { readSettings } from '../../shops/settings/settings.ts';
import { computeItemReference } from '../facts/compute-reference.ts';
import { addFulfillmentOrders, raiseNumbers } from '../facts/found-orders.ts';
import { sealRecipient } from '../facts/recipient-column.ts';
import { countFulfilled } from '../facts/store-quantities.ts';
import type { StoreReading } from '../facts/store-reading.ts';
import { receivePackages } from '../follow/receive/receive-packages.ts';
import { toRecipient } from '../plan/decide/to-recipient.ts';
import { toCustomerReference, toProductTags } from '../plan/reconcile-print-orders.ts';
import { changeState } from '../record/change-state.ts';
import { findOtherFields } from '../submit/draft/compare-draft.ts';
import { recordPrintedLines } from '../submit/printed-lines.ts';
import type { ForgottenOrder, SoldOrder } from './find-forgotten-orders.ts';

/** Units of a line in a forgotten print order. */
interface ForgottenItem {
  lineItemId: string;
  productUid: string;
  quantity: number;
}

/**
 * Adds the rows of a print order that the database has forgotten: its items, its address and packages as the service shows them. Returns
 * false if its units are not certain, so that someone must decide.
 */
export async function addForgottenOrder(
  app: App,
  { shop, storefrontOrder: { id: storefrontOrderId } }: SoldOrder,
  reading: StoreReading,
  { port, account: { id: printAccountId } }: { port: PrintPort; account: Pick<PrintAccount, 'id'> },
  forgotten: ForgottenOrder,
): Promise<boolean> {
  const { shopifyFulfillmentOrderId, reference, parts, orders } = forgotten;
  const [chosen] = parts;
  const items = toItems(port, reading, forgotten);
  if (!chosen || items === null) return false;
  const { submit: submitWay, legacyHost } = readSettings(shop);
  const now = app.clock.now();
  const isOfEarlierInstall = Date.parse(reading.createdAt) < shop.installedAt.getTime();
  const shownAt = parseTimestamp(chosen.createdAt ?? '');
  const sentAt = shownAt ?? (isOfEarlierInstall ? new Date(reading.createdAt) : now);
  return app.db.transaction(async (manager) => {
    const lock = { mode: 'for_no_key_update' } as const;
    const order = await manager.findOneOrFail(StorefrontOrders, { where: { id: storefrontOrderId }, lock });
    // A step has added the print order since the search.
    if (await manager.existsBy(PrintOrders, { reference })) return true;
    const referenceNumbers = raiseNumbers(addFulfillmentOrders(order.referenceNumbers, reading), [forgotten]);
    await manager.update(
      StorefrontOrders,
      { id: storefrontOrderId },
      { nextPart: order.nextPart + 1, referenceNumbers },
    );
    const { identifiers } = await manager.insert(PrintOrders, {
      shopId: shop.id,
      storefrontOrderId,
      printAccountId,
      shopifyFulfillmentOrderId,
      part: order.nextPart,
      reference,
      state: 'planned',
      submitWay,
      printInterface: port.printInterface,
      legacyHost,
      financialStatus: chosen.financialStatus,
      // A sent print order is never compared with the plan.
      planSha256: '',
      recipientEncrypted: toRecipientAsSent(app, { shop, reading, reference, items, orders }),
      serviceOrderId: chosen.id,
      confirmStartedAt: sentAt,
      confirmedAt: sentAt,
      // The plan must recognize a print order that an earlier installation has sent.
      createdAt: sentAt,
    });
    const printOrder = await manager.findOneByOrFail(PrintOrders, { id: String(identifiers[0]?.['id']) });
    await addLines(manager, printOrder, reading, items, shownAt);
    await addServiceOrders(manager, printOrder, printAccountId, forgotten);
    const lines = await manager.findBy(PrintOrderLines, { printOrderId: printOrder.id });
    // The units that an earlier installation printed are recorded already.
    if (sentAt >= shop.installedAt) await recordPrintedLines(manager, lines);
    for (const one of orders ?? []) await receivePackages({ app, printOrder }, manager, one);
    const isAddressShown = (orders ?? []).some(({ shippingAddress }) => shippingAddress !== null);
    const message = isAddressShown
      ? `The database had no print order for ${reference}. Platen found it at the print service and follows it again.`
      : `The database had no print order for ${reference}. Platen found it at the print service and follows it again. The print service does not show its address, so Platen assumes the address that the store has now.`;
    await changeState(manager, printOrder, { to: 'submitted', kind: 'recovered', message });
    return true;
  });
}

/** Statuses in which the store no longer splits, moves or merges a fulfillment order. */
const FIXED_STATUSES = new Set(['IN_PROGRESS', 'CLOSED', 'INCOMPLETE']);

/**
 * Returns the units of the order. An interface that shows no items or no quantities leaves only the fulfillment order: the order then has
 * all of its units, unless the store may have changed them since. Returns null if that is not certain. If the store wants none of the
 * order's units, all of them are canceled, so their exact number does not matter.
 */
function toItems(
  { printInterface }: PrintPort,
  { lineItems, fulfillmentOrders, cancelledAt }: StoreReading,
  { shopifyFulfillmentOrderId, orders, number, isAmbiguous }: ForgottenOrder,
): ForgottenItem[] | null {
  if (isAmbiguous) return null;
  const isUnwanted = cancelledAt !== null || lineItems.every(({ currentQuantity }) => currentQuantity === 0);
  if (isUnwanted && orders === null)
    return lineItems.map(({ id, quantity }) => ({ lineItemId: id, productUid: '', quantity }));
  const home = fulfillmentOrders.find(({ id }) => id === shopifyFulfillmentOrderId);
  const unitsOfHome = (lineItemId: string): number =>
    home?.lineItems.find(({ lineItem }) => lineItem.id === lineItemId)?.totalQuantity ?? 0;
  const isUnchanged = (lineItemId: string): boolean =>
    lineItems.some(({ id, quantity, currentQuantity }) => id === lineItemId && quantity === currentQuantity);
  // Several print orders of the same fulfillment order share its units.
  const isFixed = home !== undefined && (FIXED_STATUSES.has(home.status) || fulfillmentOrders.length === 1);
  const isWhole = number === 1 && isFixed;
  if (orders === null) {
    const [only, ...others] = isWhole ? home.lineItems.filter(({ totalQuantity }) => totalQuantity > 0) : [];
    if (!only || others.length > 0 || !lineItems.every(({ id }) => isUnchanged(id))) return null;
    return [{ lineItemId: only.lineItem.id, productUid: '', quantity: only.totalQuantity }];
  }
  const items = new Map<string, ForgottenItem>();
  for (const { itemReferenceId, productUid, quantity: shown } of orders.flatMap((order) => order.items)) {
    const line = lineItems.find(({ id }) => computeItemReference(id, printInterface) === itemReferenceId);
    if (!line) return null;
    const before = items.get(line.id)?.quantity ?? 0;
    const certain = isWhole && isUnchanged(line.id) ? unitsOfHome(line.id) : 0;
    const quantity = shown === null ? (isUnwanted ? line.quantity : certain) : before + shown;
    if (quantity < 1) return null;
    items.set(line.id, { lineItemId: line.id, productUid: productUid ?? '', quantity });
  }
  return items.size > 0 ? [...items.values()] : null;
}

/** Returns the sealed recipient with the address to which the service sends the order. Null if the store hides the address. */
function toRecipientAsSent(
  app: App,
  {
    shop,
    reading,
    reference,
    items,
    orders,
  }: Pick<SoldOrder, 'shop'> & {
    reading: StoreReading;
    reference: string;
    items: readonly ForgottenItem[];
    orders: readonly PortOrder[] | null;
  },
): string | null {
  const fitted = toRecipient(reading, shop, readSettings(shop));
  if (!fitted?.ok) return null;
  const others = (orders ?? []).map(({ shippingAddress }) => findOtherFields(fitted.address, shippingAddress));
  const other = others.find((fields) => Object.keys(fields).length > 0) ?? {};
  return sealRecipient(app, reference, {
    address: { ...fitted.address, ...other },
    changes: fitted.changes,
    customerReferenceId: toCustomerReference(shop, reading),
    shippingLines: reading.shippingLines.map(({ title, code }) => ({ title, code })),
    productTags: toProductTags(
      reading,
      items.map(({ lineItemId }) => lineItemId),
    ),
    shippingWay: null,
  });
}

async function addLines(
  manager: EntityManager,
  { id: printOrderId, printInterface, shopifyFulfillmentOrderId }: PrintOrder,
  reading: StoreReading,
  items: readonly ForgottenItem[],
  sentAt: Date | null,
): Promise<void> {
  const home = reading.fulfillmentOrders.find(({ id }) => id === shopifyFulfillmentOrderId);
  await manager.insert(
    PrintOrderLines,
    items.map(({ lineItemId, productUid, quantity }) => {
      const line = reading.lineItems.find(({ id }) => id === lineItemId);
      const units = home?.lineItems.find(({ lineItem }) => lineItem.id === lineItemId);
      const done = units ? Math.min(quantity, units.totalQuantity - units.remainingQuantity) : 0;
      return {
        printOrderId,
        itemReferenceId: computeItemReference(lineItemId, printInterface),
        shopifyLineItemId: lineItemId,
        shopifyVariantId: line?.variant?.id ?? null,
        sku: line?.sku ?? null,
        productUid,
        quantity,
        // If the service does not show when it was sent, the fulfilled units of its own fulfillment order count as its own.
        fulfilledBefore:
          sentAt === null
            ? Math.max(0, countFulfilled(reading, lineItemId) - done)
            : countFulfilled(reading, lineItemId, sentAt),
      };
    }),
  );
}

async function addServiceOrders(
  manager: EntityManager,
  { id: printOrderId, serviceOrderId: chosenId }: PrintOrder,
  printAccountId: number,
  { parts }: ForgottenOrder,
): Promise<void> {
  const ids = new Set(parts.flatMap(({ id, connectedOrderIds }) => [id, ...connectedOrderIds]));
  await manager.insert(
    ServiceOrders,
    [...ids].map((serviceOrderId) => ({
      printOrderId,
      printAccountId,
      serviceOrderId,
      role: serviceOrderId === chosenId ? ('chosen' as const) : ('part' as const),
      orderType: parts[0]?.orderType ?? null,
    })),
  );
}
