import type { PlanInput } from '../../../src/orders/plan/decide/plan.ts';
import type { StoreFulfillmentOrder, StoreLineItem, StoreReading } from '../../../src/orders/facts/store-reading.ts';
import { fillSettings } from '../../../src/shops/settings/settings-schema.ts';

const OUR_LOCATION = 'gid://shopify/Location/1';
const NOW = new Date('2026-11-21T12:00:00Z');

/** The buyer's address as it is sent to the print service. */
export const ADDRESS = {
  firstName: 'Ada',
  lastName: 'Miller',
  addressLine1: '233 South Wacker Drive',
  city: 'Chicago',
  postCode: '60606',
  state: 'IL',
  country: 'US',
  email: 'ada@example.com',
};

export function lineItem(id: string, change: Partial<StoreLineItem> = {}): StoreLineItem {
  return {
    id,
    sku: `SKU-${id}`,
    quantity: change.currentQuantity ?? 2,
    currentQuantity: 2,
    requiresShipping: true,
    isGiftCard: false,
    customAttributes: [],
    lineItemGroup: null,
    variantTitle: null,
    vendor: 'Sandbox Goods',
    variant: { id: `variant-${id}` },
    product: { id: 'gid://shopify/Product/1', tags: [] },
    ...change,
    unfulfilledQuantity: change.unfulfilledQuantity ?? change.currentQuantity ?? 2,
  };
}

/** Returns an accepted fulfillment order at Platen's location, with the remaining units of each line. */
export function fulfillmentOrder(
  id: string,
  remaining: Record<string, number>,
  change: Partial<StoreFulfillmentOrder> = {},
): StoreFulfillmentOrder {
  return {
    id,
    status: 'OPEN',
    requestStatus: 'ACCEPTED',
    fulfillAt: null,
    assignedLocation: { location: { id: OUR_LOCATION, isFulfillmentService: true } },
    deliveryMethod: { methodType: 'SHIPPING' },
    fulfillmentHolds: [],
    merchantRequests: [],
    lineItems: Object.entries(remaining).map(([lineItemId, remainingQuantity]) => ({
      id: `${id}-${lineItemId}`,
      totalQuantity: remainingQuantity,
      remainingQuantity,
      lineItem: { id: lineItemId },
    })),
    ...change,
  };
}

export const atMerchant = {
  assignedLocation: { location: { id: 'gid://shopify/Location/2', isFulfillmentService: false } },
};
export const atOtherService = {
  assignedLocation: { location: { id: 'gid://shopify/Location/3', isFulfillmentService: true } },
};

type CountedUnits = PlanInput['prints'][number];

/** Returns units of a line in a sent print order of this installation. */
export function sentUnits(
  shopifyLineItemId: string,
  quantity: number,
  change: Partial<CountedUnits> = {},
): CountedUnits {
  const sent = { fulfilledBefore: 0, shopifyFulfillmentOrderId: 'fo', isReplaceable: false, isOfThisInstall: true };
  return { shopifyLineItemId, quantity, ...sent, ...change };
}

/**
 * Returns the plan input for a paid order with one line of two units, linked and accepted at Platen's location, so that everything is
 * printed.
 */
export function planInput(order: Partial<StoreReading> = {}, change: Partial<PlanInput> = {}): PlanInput {
  const lineItems = order.lineItems ?? [lineItem('a')];
  return {
    order: {
      id: 'gid://shopify/Order/1',
      name: '#1001',
      createdAt: '2026-11-21T10:00:00Z',
      updatedAt: '2026-11-21T10:00:00Z',
      cancelledAt: null,
      test: false,
      displayFinancialStatus: 'PAID',
      displayRequestedEditStatus: 'NONE',
      email: 'ada@example.com',
      currentTotalPriceSet: { shopMoney: { amount: '40.00', currencyCode: 'USD' } },
      totalRefundedSet: { shopMoney: { amount: '0.0' } },
      risk: { recommendation: 'ACCEPT', assessments: [{ riskLevel: 'LOW' }] },
      customerJourneySummary: { customerOrderIndex: 2, ready: true },
      customer: null,
      customAttributes: [],
      localizedFields: [],
      shippingAddress: null,
      shippingLines: [],
      lineItems,
      fulfillmentOrders: [
        fulfillmentOrder('fo', Object.fromEntries(lineItems.map((line) => [line.id, line.currentQuantity]))),
      ],
      fulfillments: [],
      protectedFieldsMissing: [],
      ...order,
    },
    shop: {
      locationId: OUR_LOCATION,
      formerLocationIds: [],
      takesOrdersFrom: new Date('2026-11-01T00:00:00Z'),
      hasPrintAccount: true,
      anotherAppPrints: false,
      timeZone: 'Europe/Paris',
    },
    decisions: {
      approvedAt: null,
      approvedTotal: null,
      approvedUnits: null,
      heldAt: null,
      cancelAskedAt: null,
      addressCorrectedAt: null,
      releaseAt: null,
    },
    settings: { ...fillSettings({ delayMinutes: 0 }), currency: 'USD' },
    links: new Map(lineItems.flatMap(({ variant }) => (variant ? [[variant.id, printLink(variant.id)]] : []))),
    connections: new Map(),
    deletedVariants: new Map(),
    notOurs: new Map(),
    unlinked: new Map(),
    asked: new Set(),
    wasOurs: new Set(),
    formerFileProperties: [],
    prints: [],
    hasUnknownOrder: false,
    requested: new Map(),
    canRequestAgain: false,
    recipient: { ok: true, address: ADDRESS, changes: [] },
    now: NOW,
    ...change,
  };
}

function printLink(shopifyVariantId: string) {
  return {
    id: '1',
    shopId: 1,
    shopifyVariantId,
    sku: null,
    productUid: `product-${shopifyVariantId}`,
    fileUrl: 'https://files.example/a.pdf',
    pageCount: null,
    envelopeProductUid: null,
    envelopesPerPiece: null,
    source: 'merchant' as const,
    checkAt: null,
    checkedAt: null,
    problems: [],
    createdAt: NOW,
    updatedAt: NOW,
  };
}
