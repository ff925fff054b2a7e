import { z } from 'zod';

const MAX_ITEMS = 500;

const words = z
  .string()
  .nullish()
  .transform((value) => value?.trim() || null)
  .catch(null);
/** Ids above 2^53 come as texts; a custom item has none. */
const id = z
  .union([z.string(), z.number()])
  .nullish()
  .transform((value) => (value ? String(value) : null))
  .catch(null);
/** Subunits, as a number or as a text. */
const subunits = z.coerce.number().int().nullish().catch(null);

/** Where the parcel goes, as far as the buyer has said; names, streets and telephone numbers are not read. */
const destinationSchema = z.looseObject({
  country: z.string().regex(/^[A-Za-z]{2}$/),
  postal_code: words,
  province: words,
  city: words,
});

const itemSchema = z.looseObject({
  quantity: z.number().int().min(0).max(1_000_000),
  price: z.coerce.number().int().min(0).catch(0),
  requires_shipping: z.boolean().nullish(),
  fulfillment_service: words,
  sku: words,
  variant_id: id,
});
export type CheckoutItem = z.output<typeof itemSchema>;

/** What a checkout asks rates for (docs/rules/shopify.md#rate-request); fields that are not needed may be anything. */
export const rateRequestSchema = z.looseObject({
  rate: z.looseObject({
    destination: destinationSchema,
    items: z.array(itemSchema).max(MAX_ITEMS),
    currency: z.string().regex(/^[A-Z]{3}$/),
    order_totals: z.looseObject({ subtotal_price: subunits, discount_amount: subunits }).nullish().catch(null),
  }),
});
export type CheckoutCart = z.output<typeof rateRequestSchema>['rate'];

/**
 * Whether the order has more than the items asked about: a checkout asks for each place that they are sent from, and adds the rates of
 * the same code (docs/rules/shopify.md#rate-response). What needs no shipping makes a part of an order too.
 */
export function isPartOfOrder({ items, order_totals: totals }: CheckoutCart): boolean {
  return BigInt(totals?.subtotal_price ?? 0) > sumItems(items);
}

/** What the cart is worth after discounts, in subunits: of the whole order where the checkout tells it, else of the items asked about. */
export function cartValue({ items, order_totals: totals }: CheckoutCart): bigint {
  const { subtotal_price: subtotal, discount_amount: discount } = totals ?? {};
  return (typeof subtotal === 'number' ? BigInt(subtotal) : sumItems(items)) - BigInt(discount ?? 0);
}

function sumItems(items: readonly CheckoutItem[]): bigint {
  return items.reduce((sum, { price, quantity }) => sum + BigInt(price) * BigInt(quantity), 0n);
}
