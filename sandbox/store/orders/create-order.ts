import { z } from 'zod';
import { Refusal } from '../../refusal.ts';
import { mailingAddressInputSchema, toAddress } from './address.ts';
import { toAmount } from './amounts.ts';
import { customerOf } from './customers.ts';
import { toNumericId, toGid } from '../graphql/gid.ts';
import { placeOrder } from './place-order.ts';
import { riskSchema } from './risk.ts';
import { requireSellable } from '../products/sellable.ts';
import type { LineItem, Order, Shop } from '../state.ts';
import type { Store } from '../store.ts';

/** An amount of money, as decimal text or a number. */
export const priceSchema = z
  .union([z.string().regex(/^\d+(\.\d{1,2})?$/, 'must be a decimal amount'), z.number().min(0)])
  .transform((price) => toAmount(Math.round(Number(price) * 100)));

const bundleSchema = z.strictObject({
  title: z.string(),
  quantity: z.int().min(1).default(1),
  properties: z.record(z.string(), z.string()).nullish(),
});

/** A line of an order or a cart. */
export const lineSchema = z.strictObject({
  /** Null for a custom line, which has a title. */
  variantId: z.string().nullable(),
  quantity: z.int().min(1).max(10_000),
  price: priceSchema.optional(),
  properties: z.record(z.string(), z.string()).nullish(),
  title: z.string().optional(),
  /** The bundle to which the line belongs as a component. Bundles with the same title are the same bundle. */
  bundle: bundleSchema.optional(),
});

/** A line of an order, with the discount and tax for all its units together. */
const orderLineSchema = lineSchema.extend({ discount: priceSchema.optional(), tax: priceSchema.optional() });

const localizedFieldSchema = z.strictObject({
  key: z.string(),
  value: z.string(),
  countryCode: z.string().default('BR'),
  purpose: z.enum(['SHIPPING', 'TAX']).default('TAX'),
  title: z.string().default(''),
});

/** The default address of an order. */
export const buyerAddress = {
  firstName: 'Ada',
  lastName: 'Miller',
  address1: '233 South Wacker Drive',
  city: 'Chicago',
  province: 'Illinois',
  provinceCode: 'IL',
  countryCode: 'US',
  zip: '60606',
  phone: '+13125550142',
};

export const orderInputSchema = z.strictObject({
  shop: z.string().default('demo.myshopify.com'),
  lines: z.array(orderLineSchema).min(1).max(250),
  /** Whether the merchant creates the order in the admin, where sold-out variants can still be sold. */
  byMerchant: z.boolean().default(false),
  /** Whether prices include taxes. */
  taxesIncluded: z.boolean().default(false),
  shippingAddress: mailingAddressInputSchema.nullable().default(buyerAddress),
  email: z.string().nullable().default('ada.miller@example.com'),
  /** The default is the customer with the email address, or a guest if there is no address. */
  customerId: z
    .string()
    .regex(/^(gid:\/\/shopify\/Customer\/)?\d+$/, 'must be a customer’s GID or its digits')
    .transform((id) => toGid('Customer', toNumericId(`/${id}`)))
    .optional(),
  phone: z.string().nullable().default(null),
  shippingLine: z
    .strictObject({ title: z.string(), code: z.string().nullish(), price: priceSchema, tax: priceSchema.optional() })
    .nullable()
    .default({ title: 'Standard', code: 'standard', price: '5.00' }),
  test: z.boolean().nullish(),
  financialStatus: z
    .string()
    .nullable()
    .default('paid')
    .transform((status) => (status ?? 'pending').toUpperCase())
    .pipe(
      z.enum([
        'PAID',
        'PENDING',
        'AUTHORIZED',
        'PARTIALLY_PAID',
        'PARTIALLY_REFUNDED',
        'REFUNDED',
        'VOIDED',
        'EXPIRED',
      ]),
    ),
  noteAttributes: z.record(z.string(), z.string()).nullish(),
  note: z.string().nullable().default(null),
  customerLocale: z.string().nullable().default('en'),
  tags: z.array(z.string()).default([]),
  localizedFields: z.array(localizedFieldSchema).default([]),
  deliveryMethod: z.enum(['SHIPPING', 'PICK_UP', 'LOCAL', 'PICKUP_POINT', 'RETAIL', 'NONE']).default('SHIPPING'),
  fulfillAt: z.iso.datetime().nullable().default(null),
  /** The result of the store's fraud analysis. The default is `low`, the result for most orders. */
  risk: riskSchema.default('low'),
  /** The default is the customer's actual order count. Null means that the order has not been counted yet. */
  customerOrderIndex: z.int().min(1).nullable().optional(),
  presentmentCurrency: z.string().optional(),
  createdAt: z.iso.datetime().optional(),
});

type OrderInput = z.output<typeof orderInputSchema>;

/**
 * Places an order as a buyer or the merchant. Throws a 400 for a variant that the shop does not have, and a 409 if a buyer orders a
 * sold-out variant.
 */
export function createOrder(store: Store, shop: Shop, input: OrderInput): Order {
  const now = store.clock.now().toISOString();
  const createdAt = input.createdAt ?? now;
  const address = input.shippingAddress && toAddress(input.shippingAddress);
  const { shippingLine, customerOrderIndex: index } = input;
  const lineItems = input.lines.map((line, at): LineItem => {
    const { discount, tax } = line;
    return { ...toLineItem(store, shop, line, at), ...(discount && { discount }), ...(tax && { tax }) };
  });
  if (!input.byMerchant) requireSellable(store, input.lines);
  return placeOrder(store, shop, {
    ...createEmptyOrder(store, shop),
    risk: input.risk,
    ...(index === undefined ? {} : { journey: { customerOrderIndex: index, ready: index !== null } }),
    createdAt,
    processedAt: createdAt,
    updatedAt: now,
    test: input.test ?? false,
    financialStatus: input.financialStatus,
    presentmentCurrencyCode: input.presentmentCurrency ?? shop.currencyCode,
    ...(input.taxesIncluded ? { taxesIncluded: true } : {}),
    customerId: input.customerId ?? customerOf(store, shop, input.email),
    email: input.email,
    phone: input.phone,
    note: input.note,
    customerLocale: input.customerLocale,
    tags: input.tags,
    customAttributes: toAttributes(input.noteAttributes),
    localizedFields: input.localizedFields,
    shippingAddress: address,
    billingAddress: address,
    shippingLines: shippingLine
      ? [
          {
            id: store.newGid('ShippingLine'),
            title: shippingLine.title,
            code: shippingLine.code ?? null,
            source: 'shopify',
            price: shippingLine.price,
            ...(shippingLine.tax === undefined ? {} : { tax: shippingLine.tax }),
          },
        ]
      : [],
    deliveryMethod: input.deliveryMethod,
    fulfillAt: input.fulfillAt,
    lineItems: withBundleGroups(store, lineItems, input.lines),
  });
}

/** Creates an empty order of this shop with the next number. */
export function createEmptyOrder(store: Store, shop: Shop): Order {
  const now = store.clock.now().toISOString();
  return {
    id: store.newGid('Order'),
    shop: shop.domain,
    name: `#${shop.nextOrderNumber}`,
    number: shop.nextOrderNumber,
    createdAt: now,
    processedAt: now,
    updatedAt: now,
    cancelledAt: null,
    cancelReason: null,
    closedAt: null,
    test: false,
    edited: false,
    financialStatus: 'PENDING',
    currencyCode: shop.currencyCode,
    presentmentCurrencyCode: shop.currencyCode,
    sourceName: 'web',
    customerLocale: 'en',
    customerId: null,
    email: null,
    phone: null,
    note: null,
    tags: [],
    customAttributes: [],
    localizedFields: [],
    shippingAddress: null,
    billingAddress: null,
    shippingLines: [],
    deliveryMethod: 'SHIPPING',
    fulfillAt: null,
    lineItems: [],
    routed: false,
    fulfillmentOrders: [],
    fulfillments: [],
    refunds: [],
  };
}

/** Creates a new line item for a variant of the shop, or a custom one. Error messages identify the line by `index`. */
export function toLineItem(store: Store, shop: Shop, line: z.output<typeof lineSchema>, index: number): LineItem {
  const product = line.variantId === null ? undefined : store.productOf(line.variantId);
  const variant = product?.variants.find(({ id }) => id === line.variantId);
  if (line.variantId !== null && (product?.shop !== shop.domain || !variant)) {
    const message = `${shop.domain} has no variant ${line.variantId}`;
    throw new Refusal(400, 'invalid_request', message, [
      { message, reference: `lines[${index}].variantId`, code: 'unknown_variant' },
    ]);
  }
  return {
    id: store.newGid('LineItem'),
    productId: product?.id ?? null,
    variantId: variant?.id ?? null,
    title: line.title ?? product?.title ?? 'Custom item',
    variantTitle: variant && variant.title !== 'Default Title' ? variant.title : null,
    sku: variant?.sku ?? null,
    vendor: product?.vendor ?? null,
    quantity: line.quantity,
    currentQuantity: line.quantity,
    price: line.price ?? variant?.price ?? '0.00',
    grams: variant?.inventoryItem.weightGrams ?? 0,
    requiresShipping: variant?.inventoryItem.requiresShipping ?? true,
    taxable: true,
    isGiftCard: product?.isGiftCard ?? false,
    customAttributes: toAttributes(line.properties),
  };
}

/** Adds the group of each bundle to its line items. The buyer's choices and input for the bundle are stored only in the group. */
function withBundleGroups(store: Store, lineItems: LineItem[], lines: OrderInput['lines']): LineItem[] {
  const groups = new Map<string, NonNullable<LineItem['group']>>();
  for (const { bundle } of lines) {
    if (!bundle) continue;
    const { title, quantity, properties } = bundle;
    const { id, customAttributes } = groups.get(title) ?? { id: store.newGid('LineItemGroup'), customAttributes: [] };
    groups.set(title, { id, title, quantity, customAttributes: [...customAttributes, ...toAttributes(properties)] });
  }
  return lineItems.map((lineItem, index) => {
    const group = groups.get(lines[index]?.bundle?.title ?? '');
    return group ? { ...lineItem, group } : lineItem;
  });
}

function toAttributes(values: Readonly<Record<string, string>> | null | undefined) {
  return Object.entries(values ?? {}).map(([key, value]) => ({ key, value }));
}
