import { In, IsNull, Not } from 'typeorm';
import type { App } from '../../app.ts';
import { StorefrontOrders, type StorefrontOrder } from '../../database/entities/orders.ts';
import { PackageItems, Packages } from '../../database/entities/packages.ts';
import { PrintOrderLines, PrintOrders } from '../../database/entities/print-orders.ts';
import type { Shop } from '../../database/entities/shops.ts';
import type { ServiceAddress } from '../../orders/address/fit-address.ts';
import { NO_TRACKING_CODE } from '../../orders/facts/describe-tracking-codes.ts';
import { isInEffect } from '../../orders/facts/print-order-predicates.ts';
import { decryptRecipient } from '../../orders/facts/recipient-column.ts';
import { readSlipTexts } from '../../shopify/calls/packing-slips.ts';
import { readSettings } from '../../shops/settings/settings.ts';
import { openAdmin } from '../../shops/tokens/tokens.ts';
import { toCarrierName } from '../to-carrier-name.ts';
import { planSlips, type PlannedSlip, type PrintToPack } from './plan-slips.ts';

/** The content of a slip. The address and the note are personal data, so only the shop's staff may see them. */
export interface PackingSlip {
  order: string;
  placedAt: Date;
  /** The buyer's language, such as `de-AT`. Null if the store does not know it. */
  locale: string | null;
  /** Null once the personal data has been removed. */
  to: ServiceAddress | null;
  /** The order's note, if the shop prints it. */
  note: string | null;
  tracking: { code: string; carrier: string | null } | null;
  lines: { title: string; variantTitle: string | null; sku: string | null; quantity: number }[];
  isDivided: boolean;
  /** Whether the order has further slips. */
  hasMore: boolean;
}

interface OrderToPack {
  order: StorefrontOrder;
  slips: (PlannedSlip & { print: PrintToPack })[];
}

/** Finds the given orders that have packing slips, and preserves their sequence. Orders of other shops are ignored. */
export async function findOrdersToPack(
  app: App,
  shop: Pick<Shop, 'id'>,
  shopifyOrderIds: readonly string[],
): Promise<OrderToPack[]> {
  const { manager } = app.db;
  const orders = await manager.findBy(StorefrontOrders, { shopId: shop.id, shopifyOrderId: In(shopifyOrderIds) });
  const printOrders = await manager.find(PrintOrders, {
    where: { storefrontOrderId: In(orders.map(({ id }) => id)) },
    order: { part: 'ASC' },
  });
  const inEffect = printOrders.filter(isInEffect);
  const ofPrintOrders = { printOrderId: In(inEffect.map(({ id }) => id)) };
  const lines = await manager.find(PrintOrderLines, { where: ofPrintOrders, order: { id: 'ASC' } });
  const packages = await manager.find(Packages, {
    where: { ...ofPrintOrders, confirmedAt: Not(IsNull()), replacedAt: IsNull() },
    order: { id: 'ASC' },
  });
  const items = await manager.findBy(PackageItems, { packageId: In(packages.map(({ id }) => id)) });
  const prints = inEffect.map((printOrder): PrintToPack => ({
    printOrder,
    lines: lines.filter(({ printOrderId }) => printOrderId === printOrder.id),
    packages: packages
      .filter(({ printOrderId }) => printOrderId === printOrder.id)
      .map((one) => ({ ...one, items: items.filter(({ packageId }) => packageId === one.id) })),
  }));
  return shopifyOrderIds.flatMap((id) => {
    const order = orders.find(({ shopifyOrderId }) => shopifyOrderId === id);
    if (!order) return [];
    const slips = prints
      .filter(({ printOrder }) => printOrder.storefrontOrderId === order.id)
      .flatMap((print) => planSlips(print).map((slip) => ({ ...slip, print })));
    return slips.length > 0 ? { order, slips } : [];
  });
}

/**
 * Reads the packing slips of these orders. Addresses come from the print orders, and titles, languages and notes from the store. Throws
 * PlatenError `cannot_decrypt` and the errors of `openAdmin`.
 */
export async function readPackingSlips(
  app: App,
  shop: Shop,
  shopifyOrderIds: readonly string[],
): Promise<PackingSlip[]> {
  const orders = await findOrdersToPack(app, shop, shopifyOrderIds);
  if (orders.length === 0) return [];
  const withNote = readSettings(shop).packingSlip?.printsNote === true;
  const ids = orders.flatMap(({ order, slips }) => [
    order.shopifyOrderId,
    ...slips.flatMap(({ lines }) => lines.map(({ line }) => line.shopifyLineItemId)),
  ]);
  const texts = await readSlipTexts(await openAdmin(app, shop), [...new Set(ids)], { withNote });
  return orders.flatMap(({ order, slips }) => {
    const { locale = null, note = null } = texts.orders.get(order.shopifyOrderId) ?? {};
    // The store may erase the note later than Platen erases the address.
    const isErased = order.redactedAt !== null;
    return slips.map(({ parcel, lines, isDivided, print: { printOrder } }): PackingSlip => ({
      order: order.name,
      placedAt: order.placedAt,
      locale,
      to: isErased || printOrder.recipientEncrypted === null ? null : decryptRecipient(app, printOrder).address,
      note: isErased ? null : note,
      tracking:
        parcel === null || parcel.trackingCode === NO_TRACKING_CODE
          ? null
          : { code: parcel.trackingCode, carrier: toCarrierName(parcel) },
      lines: lines.map(({ line: { shopifyLineItemId, sku }, quantity }) => {
        const { title = sku ?? '', variantTitle = null } = texts.items.get(shopifyLineItemId) ?? {};
        return { title, variantTitle, sku, quantity };
      }),
      isDivided,
      hasMore: slips.length > 1,
    }));
  });
}
