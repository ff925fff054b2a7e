import { z } from 'zod';

const id = z.number().transform((number) => BigInt(number).toString());
const gid = z.string().nullish();
const text = z
  .string()
  .nullish()
  .transform((value) => value ?? null);
const attributes = z
  .array(z.looseObject({ name: z.string(), value: z.coerce.string() }))
  .nullish()
  .transform((list) => (list ?? []).map(({ name, value }) => ({ key: name, value })));

const addressSchema = z.looseObject({
  first_name: text,
  last_name: text,
  company: text,
  address1: text,
  address2: text,
  city: text,
  province: text,
  province_code: text,
  country: text,
  country_code: text,
  zip: text,
  phone: text,
});

const lineSchema = z.looseObject({
  id,
  admin_graphql_api_id: gid,
  product_id: id.nullish(),
  variant_id: id.nullish(),
  title: z.string(),
  variant_title: text,
  sku: text,
  vendor: text,
  quantity: z.int().min(0),
  current_quantity: z.int().min(0).optional(),
  price: z.string(),
  grams: z.number().nullish(),
  requires_shipping: z.boolean(),
  taxable: z.boolean().default(true),
  gift_card: z.boolean().default(false),
  properties: attributes,
});

export type RecordedLine = z.output<typeof lineSchema>;

const shippingLineSchema = z.looseObject({ title: z.string(), code: text, source: text, price: z.string() });

const refundSchema = z.looseObject({
  id,
  created_at: z.string(),
  note: text,
  refund_line_items: z.array(z.looseObject({ line_item_id: id, quantity: z.int() })).default([]),
});

/** The parts of an `orders/…` webhook body or REST order that an import reads. */
export const recordedOrderSchema = z.looseObject({
  id,
  admin_graphql_api_id: gid,
  name: z.string(),
  order_number: z.int().optional(),
  created_at: z.string(),
  processed_at: text,
  cancelled_at: text,
  cancel_reason: text,
  closed_at: text,
  test: z.boolean().nullish(),
  financial_status: text,
  fulfillment_status: text,
  currency: z.string(),
  presentment_currency: text,
  source_name: text,
  customer_locale: text,
  customer: z.looseObject({ id, admin_graphql_api_id: gid }).nullish(),
  email: text,
  phone: text,
  note: text,
  note_attributes: attributes,
  tags: text,
  billing_address: addressSchema.nullish(),
  shipping_address: addressSchema.nullish(),
  shipping_lines: z.array(shippingLineSchema).default([]),
  line_items: z.array(lineSchema).min(1),
  refunds: z.array(refundSchema).default([]),
});

export type RecordedOrder = z.output<typeof recordedOrderSchema>;

export type RecordedAddress = z.output<typeof addressSchema>;
