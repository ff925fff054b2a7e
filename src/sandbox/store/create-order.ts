import { z } from 'zod';
import { Refusal } from '../refusal.ts';
import { mailingAddressInputSchema, toAddress } from './address.ts';
import { toAmount } from './amounts.ts';
import { placeOrder } from './place-order.ts';
import type { LineItem, Order, Shop } from './state.ts';
import type { Store } from './store.ts';

const priceSchema = z
  .union([z.string().regex(/^\d+(\.\d{1,2})?$/, 'must be a decimal amount'), z.number().min(0)])
  .transform((price) => toAmount(Math.round(Number(price) * 100)));

const lineSchema = z.strictObject({
  /** null: a custom line, which has a title. */
  variantId: z.string().nullable(),
  quantity: z.int().min(1).max(10_000),
  price: priceSchema.optional(),
  properties: z.record(z.string(), z.string()).nullish(),
  title: z.string().optional(),
});

const localizedFieldSchema = z.strictObject({
  key: z.string(),
  value: z.string(),
  countryCode: z.string().default('BR'),
  purpose: z.enum(['SHIPPING', 'TAX']).default('TAX'),
  title: z.string().default(''),
});

export const orderInputSchema = z.strictObject({
  shop: z.string().default('demo.myshopify.com'),
  lines: z.array(lineSchema).min(1).max(250),
  shippingAddress: mailingAddressInputSchema.nullable().default({
    firstName: 'Ada',
    lastName: 'Miller',
    address1: '233 South Wacker Drive',
    city: 'Chicago',
    province: 'Illinois',
    provinceCode: 'IL',
    countryCode: 'US',
    zip: '60606',
    phone: '+13125550142',
  }),
  email: z.string().nullable().default('ada.miller@example.com'),
  phone: z.string().nullable().default(null),
  shippingLine: z
    .strictObject({ title: z.string(), code: z.string().nullish(), price: priceSchema })
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
  tags: z.array(z.string()).default([]),
  localizedFields: z.array(localizedFieldSchema).default([]),
  deliveryMethod: z.enum(['SHIPPING', 'PICK_UP', 'LOCAL', 'PICKUP_POINT', 'RETAIL', 'NONE']).default('SHIPPING'),
  fulfillAt: z.iso.datetime().nullable().default(null),
  presentmentCurrency: z.string().optional(),
  createdAt: z.iso.datetime().optional(),
});

type OrderInput = z.output<typeof orderInputSchema>;

/** Places an order as a buyer would; throws the 400 for a variant that the shop does not have. */
export function createOrder(store: Store, shop: Shop, input: OrderInput): Order {
  const now = new Date().toISOString();
  const createdAt = input.createdAt ?? now;
  const address = input.shippingAddress && toAddress(input.shippingAddress);
  const { shippingLine } = input;
  return placeOrder(store, shop, {
    ...emptyOrder(store, shop),
    createdAt,
    processedAt: createdAt,
    updatedAt: now,
    test: input.test ?? false,
    financialStatus: input.financialStatus,
    presentmentCurrencyCode: input.presentmentCurrency ?? shop.currencyCode,
    customerId: input.email === null ? null : store.newGid('Customer'),
    email: input.email,
    phone: input.phone,
    note: input.note,
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
          },
        ]
      : [],
    deliveryMethod: input.deliveryMethod,
    fulfillAt: input.fulfillAt,
    lineItems: input.lines.map((line, index) => toLineItem(store, shop, line, index)),
  });
}

/** An order of this shop with the next number and nothing in it. */
export function emptyOrder(store: Store, shop: Shop): Order {
  const now = new Date().toISOString();
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

/** A new line item of a variant of the shop, or a custom one. `index` names the line in a refusal. */
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

function toAttributes(values: Readonly<Record<string, string>> | null | undefined) {
  return Object.entries(values ?? {}).map(([key, value]) => ({ key, value }));
}
