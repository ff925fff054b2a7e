import { connection, many } from './create-schema-handler.ts';

// Objects of a store for `createSchemaHandler`, with a given number of lines.

export const orderId = 'gid://shopify/Order/1';

export function lineItem(number: number) {
  return {
    id: `gid://shopify/LineItem/${number}`,
    sku: `SKU-${number}`,
    title: `Poster ${number}`,
    quantity: 2,
    currentQuantity: 2,
    unfulfilledQuantity: 1,
    requiresShipping: true,
    isGiftCard: false,
    customAttributes: [{ key: 'Size', value: 'A3' }],
    lineItemGroup: null,
    variant: { id: `gid://shopify/ProductVariant/${number}` },
    product: { id: `gid://shopify/Product/${number}`, tags: ['wall'] },
  };
}

export function fulfillmentOrder(number: number, lines: number) {
  return {
    id: `gid://shopify/FulfillmentOrder/${number}`,
    orderId,
    orderName: '#1001',
    status: 'OPEN',
    requestStatus: 'UNSUBMITTED',
    fulfillAt: null,
    updatedAt: '2026-11-20T10:00:00Z',
    assignedLocation: { location: { id: 'gid://shopify/Location/1', isFulfillmentService: true } },
    deliveryMethod: { methodType: 'SHIPPING' },
    supportedActions: [{ action: 'CREATE_FULFILLMENT' }],
    fulfillmentHolds: [],
    merchantRequests: connection([{ kind: 'FULFILLMENT_REQUEST' }]),
    lineItems: connection(many(lines, (line) => fulfillmentOrderLine(number * 1000 + line))),
  };
}

export function fulfillment(number: number, lines: number, codes: readonly string[] = [`CODE-${number}`]) {
  return {
    id: `gid://shopify/Fulfillment/${number}`,
    status: 'SUCCESS',
    createdAt: '2026-11-20T11:00:00Z',
    trackingInfo: codes.map((code) => ({ company: 'DHL', number: code, url: `https://track.example/${code}` })),
    fulfillmentLineItems: connection(
      many(lines, (line) => ({
        id: `gid://shopify/FulfillmentLineItem/${number}-${line}`,
        quantity: 1,
        lineItem: { id: `gid://shopify/LineItem/${line}` },
      })),
    ),
  };
}

export function order(parts: { lines: number; fulfillmentOrders: unknown[]; fulfillments: unknown[] }) {
  return {
    id: orderId,
    name: '#1001',
    createdAt: '2026-11-20T10:00:00Z',
    updatedAt: '2026-11-20T10:00:01Z',
    processedAt: '2026-11-20T10:00:00Z',
    cancelledAt: null,
    closedAt: null,
    test: false,
    displayFinancialStatus: 'PAID',
    currencyCode: 'USD',
    email: 'ada@example.com',
    tags: ['gift'],
    currentTotalPriceSet: { shopMoney: { amount: '44.90', currencyCode: 'USD' } },
    totalRefundedSet: { shopMoney: { amount: '0.0' } },
    risk: { recommendation: 'ACCEPT', assessments: [{ riskLevel: 'LOW' }] },
    customerJourneySummary: { customerOrderIndex: 2, ready: true },
    customAttributes: [{ key: 'CPF', value: '1' }],
    localizedFields: connection([
      { key: 'TAX_CREDENTIAL_BR', title: 'CPF', value: '1', purpose: 'TAX', countryCode: 'BR' },
    ]),
    customer: { id: 'gid://shopify/Customer/7' },
    shippingAddress: { firstName: 'Ada', lastName: 'Lovelace', address1: '1 Main St', countryCodeV2: 'US' },
    shippingLines: connection([{ title: 'Standard', code: 'standard' }]),
    lineItems: connection(many(parts.lines, lineItem)),
    fulfillmentOrders: connection(parts.fulfillmentOrders),
    fulfillments: parts.fulfillments,
  };
}

function fulfillmentOrderLine(number: number) {
  return {
    id: `gid://shopify/FulfillmentOrderLineItem/${number}`,
    totalQuantity: 2,
    remainingQuantity: 1,
    sku: `SKU-${number}`,
    lineItem: { id: `gid://shopify/LineItem/${number}` },
  };
}
