import { fullName } from './address.ts';
import { orderAmounts, refundAmounts, toAmount } from './amounts.ts';
import { connection, type PageArguments } from '../graphql/connection.ts';
import { toNumericId } from '../graphql/gid.ts';
import { lineItemView, taxLines } from './line-item-view.ts';
import { metafieldFields } from '../metafields/metafields.ts';
import { displayFulfillmentStatus, unfulfilledQuantity } from './order-status.ts';
import { requestedEditFields } from './requested-edits.ts';
import { riskView } from './risk.ts';
import { transactionsView } from './transactions-view.ts';
import { addressFields } from '../shop/shop-view.ts';
import type { Address, LocalizedField, Order, ShippingLine } from '../state.ts';
import { dateTime, dateTimeOrNull, moneyBag, notModeledError, type View } from '../graphql/view.ts';
import type { Views } from '../graphql/views.ts';

/** Returns the view for the GraphQL type Order. */
export function orderView(views: Views, order: Order): View {
  const { store, shop } = views;
  const shippingLine = (line: ShippingLine) => shippingLineView(order, line);
  return {
    __typename: 'Order',
    id: order.id,
    legacyResourceId: toNumericId(order.id),
    name: order.name,
    number: order.number,
    confirmationNumber: null,
    createdAt: dateTime(order.createdAt),
    processedAt: dateTime(order.processedAt),
    updatedAt: dateTime(order.updatedAt),
    cancelledAt: dateTimeOrNull(order.cancelledAt),
    cancelReason: order.cancelReason,
    closedAt: dateTimeOrNull(order.closedAt),
    closed: order.closedAt !== null,
    confirmed: true,
    test: order.test,
    edited: order.edited,
    customerLocale: order.customerLocale,
    sourceName: order.sourceName,
    note: order.note,
    tags: order.tags,
    email: order.email,
    phone: order.phone,
    poNumber: null,
    statusPageUrl: `https://${shop.domain}/orders/${toNumericId(order.id)}`,
    discountCodes: [],
    paymentGatewayNames: ['bogus'],
    customAttributes: order.customAttributes,
    customer: order.customerId && {
      __typename: 'Customer',
      id: order.customerId,
      legacyResourceId: toNumericId(order.customerId),
    },
    shippingAddress: order.shippingAddress && mailingAddressView(order, order.shippingAddress, 'shipping'),
    billingAddress: order.billingAddress && mailingAddressView(order, order.billingAddress, 'billing'),
    shippingLine: () => (order.shippingLines[0] ? shippingLine(order.shippingLines[0]) : null),
    shippingLines: (page: PageArguments) => connection(order.shippingLines, page, shippingLine),
    localizedFields: (page: PageArguments & { countryCodes?: string[] | null; purposes?: string[] | null }) =>
      connection(localizedFields(order, page), page, (field) => ({ ...field })),
    lineItems: (page: PageArguments) => connection(order.lineItems, page, (line) => lineItemView(views, order, line)),
    risk: riskView(order),
    transactions: (page: Parameters<typeof transactionsView>[1]) => transactionsView(order, page),
    customerJourneySummary: order.journey ?? null,
    ...statusFields(order),
    ...amountFields(order),
    ...fulfillmentFields(views, order),
    ...requestedEditFields(views, order),
    ...metafieldFields(store, order.id),
  };
}

function statusFields(order: Order): View {
  const paid = order.financialStatus === 'PAID';
  return {
    displayFinancialStatus: order.financialStatus,
    displayFulfillmentStatus: displayFulfillmentStatus(order),
    returnStatus: 'NO_RETURN',
    fullyPaid: paid,
    unpaid: order.financialStatus === 'PENDING',
    requiresShipping: order.lineItems.some((line) => line.requiresShipping),
    fulfillable: order.lineItems.some((line) => unfulfilledQuantity(order, line) > 0),
    merchantEditable: order.cancelledAt === null,
  };
}

function amountFields(order: Order): View {
  const amounts = orderAmounts(order);
  const bag = (cents: number) => moneyBag(toAmount(cents), order.currencyCode, order.presentmentCurrencyCode);
  return {
    currencyCode: order.currencyCode,
    presentmentCurrencyCode: order.presentmentCurrencyCode,
    subtotalPriceSet: bag(amounts.subtotal),
    currentSubtotalPriceSet: bag(amounts.currentSubtotal),
    totalPriceSet: bag(amounts.total),
    originalTotalPriceSet: bag(amounts.total),
    currentTotalPriceSet: bag(amounts.currentTotal),
    totalShippingPriceSet: bag(amounts.shipping),
    currentShippingPriceSet: bag(amounts.currentShipping),
    totalTaxSet: bag(amounts.tax),
    currentTotalTaxSet: bag(amounts.currentTax),
    totalDiscountsSet: bag(amounts.discount),
    totalRefundedSet: bag(amounts.refunded),
    totalRefundedShippingSet: bag(amounts.refundedShipping),
    refundDiscrepancySet: bag(amounts.discrepancy),
    taxesIncluded: order.taxesIncluded ?? false,
    taxLines: taxLines(order, amounts.tax === 0 ? undefined : toAmount(amounts.tax)),
    subtotalLineItemsQuantity: order.lineItems.reduce((sum, line) => sum + line.quantity, 0),
    currentSubtotalLineItemsQuantity: order.lineItems.reduce((sum, line) => sum + line.currentQuantity, 0),
    currentTotalWeight: String(order.lineItems.reduce((sum, line) => sum + line.grams * line.currentQuantity, 0)),
    refunds: order.refunds.map((refund) => ({
      __typename: 'Refund',
      id: refund.id,
      note: refund.note,
      createdAt: dateTime(refund.createdAt),
      totalRefundedSet: bag(refundAmounts(order, refund).actual),
    })),
  };
}

function fulfillmentFields(views: Views, order: Order): View {
  return {
    fulfillmentOrders: ({ query, ...page }: PageArguments & { query?: string | null }) => {
      if (query) throw notModeledError('a query in Order.fulfillmentOrders');
      return connection(order.fulfillmentOrders.filter(views.shows), page, (fulfillmentOrder) =>
        views.fulfillmentOrder(order, fulfillmentOrder),
      );
    },
    fulfillments: ({ first, query }: { first?: number | null; query?: string | null }) => {
      if (query) throw notModeledError('a query in Order.fulfillments');
      return order.fulfillments
        .slice(0, first ?? undefined)
        .map((fulfillment) => views.fulfillment(order, fulfillment));
    },
    fulfillmentsCount: { count: order.fulfillments.length, precision: 'EXACT' },
  };
}

function localizedFields(
  order: Order,
  { countryCodes, purposes }: { countryCodes?: string[] | null; purposes?: string[] | null },
): LocalizedField[] {
  return order.localizedFields.filter(
    (field) =>
      (!countryCodes?.length || countryCodes.includes(field.countryCode)) &&
      (!purposes?.length || purposes.includes(field.purpose)),
  );
}

function mailingAddressView(order: Order, address: Address, kind: string): View {
  return {
    __typename: 'MailingAddress',
    ...addressFields(address),
    id: `gid://shopify/MailingAddress/${toNumericId(order.id)}?model_name=Address&kind=${kind}`,
    name: fullName(address),
    formatted: [],
    coordinatesValidated: false,
    latitude: null,
    longitude: null,
    validationResultSummary: null,
  };
}

function shippingLineView(order: Order, line: ShippingLine): View {
  return {
    __typename: 'ShippingLine',
    id: line.id,
    title: line.title,
    code: line.code,
    source: line.source,
    carrierIdentifier: null,
    deliveryCategory: null,
    custom: false,
    isRemoved: false,
    phone: null,
    taxLines: taxLines(order, line.tax),
    originalPriceSet: moneyBag(line.price, order.currencyCode, order.presentmentCurrencyCode),
    discountedPriceSet: moneyBag(line.price, order.currencyCode, order.presentmentCurrencyCode),
    currentDiscountedPriceSet: moneyBag(line.price, order.currencyCode, order.presentmentCurrencyCode),
  };
}
