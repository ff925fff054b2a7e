import { expect } from 'vitest';
import type { AdminApi } from '../../src/shopify/admin/admin-api.ts';
import type { Shopify } from '../../src/shopify/client.ts';
import type { OrderForPlanQuery, WriteFenceMutationVariables } from '../../src/shopify/generated/operations.ts';
import type { TypedDocument } from '../../src/shopify/admin/typed-document.ts';

export const LOCATION = 'gid://shopify/Location/1';
export const VARIANT = 'gid://shopify/ProductVariant/1';
const LINE_ITEM = 'gid://shopify/LineItem/1';
const LAST_PAGE = { hasNextPage: false, endCursor: null };

type StoreOrder = NonNullable<OrderForPlanQuery['order']>;

const AMOUNT = { shopMoney: { amount: '10.00', currencyCode: 'USD' } };
/** The fields that are read for the amount paid, in addition to the plan's fields. */
const SALE = {
  transactions: [],
  taxesIncluded: false,
  totalRefundedSet: { shopMoney: { amount: '0.0', currencyCode: 'USD' } },
  currentTotalTaxSet: AMOUNT,
  currentShippingPriceSet: AMOUNT,
  refundDiscrepancySet: AMOUNT,
  shippingLines: { nodes: [{ title: 'Standard', code: 'standard', discountedPriceSet: AMOUNT, taxLines: [] }] },
};

/** The store as the plan reads it: a paid order with one line, accepted for fulfillment at Platen's location. */
export class ReferenceStore {
  readonly orderId = 'gid://shopify/Order/1';
  quantity = 1;
  /** The largest quantity that the buyer has ever wanted. */
  most = 1;
  address = 1;
  isCanceled = false;
  requestStatus: 'ACCEPTED' | 'CANCELLATION_REQUESTED' | 'CANCELLATION_REJECTED' | 'CANCELLATION_ACCEPTED' = 'ACCEPTED';
  #fence: { value: string; compareDigest: string } | null = null;
  readonly #say: (line: string) => void;

  constructor(say: (line: string) => void) {
    this.#say = say;
  }

  /** Returns the number of units that the store wants printed. */
  wanted(): number {
    return this.isCanceled || this.requestStatus === 'CANCELLATION_ACCEPTED' ? 0 : this.quantity;
  }

  setQuantity(quantity: number): void {
    this.quantity = quantity;
    this.most = Math.max(this.most, quantity);
  }

  /** Returns a client that responds only to the plan's requests. */
  shopify(): Shopify {
    const request = (document: TypedDocument<unknown, never>, variables?: unknown): Promise<unknown> =>
      Promise.resolve(this.#answer(document.name, variables));
    const admin = {
      shop: 'model.myshopify.com',
      request,
      requestPartial: async (document: TypedDocument<unknown, never>, variables?: unknown) => ({
        data: await request(document, variables),
        protectedFieldsMissing: [],
      }),
    } as unknown as AdminApi;
    return { admin: () => admin } as unknown as Shopify;
  }

  #answer(operation: string, variables: unknown): unknown {
    const currentAppInstallation = { id: 'gid://shopify/AppInstallation/1', metafield: this.#fence };
    if (operation === 'OrderForPlan') return { order: this.#show(), currentAppInstallation };
    if (operation === 'OrderForPlanAndSale') return { order: this.#showSold(), currentAppInstallation };
    if (operation === 'ReadFence') return { currentAppInstallation };
    if (operation === 'WriteFence') return this.#writeFence(variables as WriteFenceMutationVariables);
    const fulfillmentOrder = {
      id: 'gid://shopify/FulfillmentOrder/1',
      status: 'OPEN',
      requestStatus: this.requestStatus,
    };
    if (operation === 'AcceptCancellationRequest') {
      this.requestStatus = 'CANCELLATION_ACCEPTED';
      this.#say('the cancellation is accepted');
      return { fulfillmentOrderAcceptCancellationRequest: { fulfillmentOrder } };
    }
    if (operation === 'RejectCancellationRequest') {
      this.requestStatus = 'CANCELLATION_REJECTED';
      this.#say('the cancellation is rejected');
      return { fulfillmentOrderRejectCancellationRequest: { fulfillmentOrder } };
    }
    return expect.fail(`The reference store does not support ${operation}.`);
  }

  #writeFence({ metafields }: WriteFenceMutationVariables): unknown {
    const [{ value, compareDigest } = expect.fail('no metafield')] = [metafields].flat();
    if (compareDigest !== (this.#fence?.compareDigest ?? null)) return expect.fail('The fence has changed.');
    this.#fence = { value, compareDigest: value };
    return { metafieldsSet: { metafields: [{ id: 'gid://shopify/Metafield/1' }], userErrors: [] } };
  }

  #show(): StoreOrder {
    const money = { shopMoney: { amount: '10.00', currencyCode: 'USD' as const } };
    const at = '2026-11-02T08:00:00Z';
    const isClosed = this.wanted() === 0;
    const left = isClosed ? 0 : this.quantity;
    return {
      id: this.orderId,
      name: '#1001',
      createdAt: at,
      updatedAt: at,
      processedAt: at,
      cancelledAt: this.isCanceled ? at : null,
      closedAt: null,
      test: false,
      displayFinancialStatus: 'PAID',
      displayRequestedEditStatus: 'NONE',
      currencyCode: 'USD',
      email: 'paul.smith@example.com',
      tags: [],
      currentTotalPriceSet: money,
      totalRefundedSet: { shopMoney: { amount: '0.0' } },
      risk: { recommendation: 'ACCEPT', assessments: [{ riskLevel: 'LOW' }] },
      customerJourneySummary: { customerOrderIndex: 2, ready: true },
      customAttributes: [],
      localizedFields: { nodes: [] },
      shippingAddress: {
        firstName: 'Paul',
        lastName: 'Smith',
        company: null,
        address1: `${this.address} Clarkson Ave`,
        address2: null,
        city: 'New York',
        province: 'New York',
        provinceCode: 'NY',
        zip: '11203',
        countryCodeV2: 'US',
        phone: null,
      },
      shippingLines: { nodes: [{ title: 'Standard', code: 'standard' }] },
      lineItems: { nodes: [this.#line()], pageInfo: LAST_PAGE },
      fulfillmentOrders: {
        nodes: [
          {
            id: 'gid://shopify/FulfillmentOrder/1',
            status: isClosed ? 'CLOSED' : 'OPEN',
            requestStatus: this.requestStatus,
            fulfillAt: null,
            updatedAt: at,
            assignedLocation: { location: { id: LOCATION, isFulfillmentService: true } },
            deliveryMethod: { methodType: 'SHIPPING' },
            supportedActions: [],
            fulfillmentHolds: [],
            merchantRequests: { nodes: [] },
            lineItems: {
              nodes: [
                {
                  id: 'gid://shopify/FulfillmentOrderLineItem/1',
                  totalQuantity: this.quantity,
                  remainingQuantity: left,
                  sku: 'POSTER',
                  lineItem: { id: LINE_ITEM },
                },
              ],
              pageInfo: LAST_PAGE,
            },
          },
        ],
        pageInfo: LAST_PAGE,
      },
      fulfillments: [],
    };
  }

  #showSold(): StoreOrder & typeof SALE {
    const order = this.#show();
    const prices = { discountedUnitPriceAfterAllDiscountsSet: AMOUNT, priceAfterAllDiscountsBeforeTaxesSet: AMOUNT };
    const nodes = order.lineItems.nodes.map((line) => ({ ...line, ...prices }));
    return { ...order, ...SALE, lineItems: { ...order.lineItems, nodes } };
  }

  #line(): StoreOrder['lineItems']['nodes'][number] {
    return {
      id: LINE_ITEM,
      sku: 'POSTER',
      title: 'Poster',
      quantity: this.quantity,
      currentQuantity: this.quantity,
      unfulfilledQuantity: this.wanted(),
      requiresShipping: true,
      isGiftCard: false,
      variantTitle: null,
      vendor: 'Sandbox Goods',
      customAttributes: [],
      lineItemGroup: null,
      variant: { id: VARIANT },
      product: { id: 'gid://shopify/Product/1', tags: [] },
    };
  }
}
