import type { AdminApi } from '../admin/admin-api.ts';
import { OrderSaleLineItemsDocument } from '../generated/operations.ts';
import type { SoldLineItemFragment, SoldOrderFragment } from '../generated/operations.ts';
import { readAll } from '../admin/read-pages.ts';

/** The amounts that the buyer paid for an order in its current state, with all its line items. */
export type OrderSaleReading = Omit<SoldOrderFragment, 'lineItems' | 'shippingLines'> & {
  shippingLines: SoldOrderFragment['shippingLines']['nodes'];
  lineItems: SoldLineItemFragment[];
};

/** Returns the amounts that the buyer paid from a response, with the line items on further pages. Throws ShopifyError. */
export async function readCompleteSale(admin: AdminApi, order: SoldOrderFragment): Promise<OrderSaleReading> {
  const { id, transactions, taxesIncluded, currentTotalPriceSet, totalRefundedSet, currentTotalTaxSet } = order;
  const { currentShippingPriceSet, refundDiscrepancySet, shippingLines } = order;
  const lineItems = await readAll<SoldLineItemFragment>(
    OrderSaleLineItemsDocument.name,
    order.lineItems,
    async (after) => {
      const next = await admin.request(OrderSaleLineItemsDocument, { id, after });
      return next.order?.lineItems ?? null;
    },
  );
  return {
    id,
    transactions,
    taxesIncluded,
    currentTotalPriceSet,
    totalRefundedSet,
    currentTotalTaxSet,
    currentShippingPriceSet,
    refundDiscrepancySet,
    shippingLines: shippingLines.nodes,
    lineItems,
  };
}
