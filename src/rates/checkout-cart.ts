import { z } from 'zod';

const MAX_ITEMS = 500;

const words = z
  .string()
  .nullish()
  .transform((value) => value?.trim() || null)
  .catch(null);
/** IDs above 2^53 arrive as strings. A custom item has no ID. */
const id = z
  .union([z.string(), z.number()])
  .nullish()
  .transform((value) => (value ? String(value) : null))
  .catch(null);
/** An amount in subunits, as a number or as a string. */
const subunits = z.coerce.number().int().nullish().catch(null);

/** The destination, as far as the buyer has entered it. Platen does not read names, streets and phone numbers. */
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

/** A checkout's rate request (docs/rules/shopify.md#rate-request). Unused fields may have any value. */
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
 * Returns whether the order contains items that are not in this request. A checkout sends one request per origin and adds the rates with
 * the same code (docs/rules/shopify.md#rate-response). Items that need no shipping also count as other items.
 */
export function isPartOfOrder({ items, order_totals: totals }: CheckoutCart): boolean {
  return BigInt(totals?.subtotal_price ?? 0) > sumItems(items);
}

/** Returns the value after discounts, in subunits: of the whole order if the request contains it, otherwise of the items in the request. */
export function cartValue({ items, order_totals: totals }: CheckoutCart): bigint {
  const { subtotal_price: subtotal, discount_amount: discount } = totals ?? {};
  return (typeof subtotal === 'number' ? BigInt(subtotal) : sumItems(items)) - BigInt(discount ?? 0);
}

function sumItems(items: readonly CheckoutItem[]): bigint {
  return items.reduce((sum, { price, quantity }) => sum + BigInt(price) * BigInt(quantity), 0n);
}
