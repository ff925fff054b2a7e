import { z } from 'zod';

/** A time in ISO 8601. */
export const time = z.iso.datetime().meta({ id: 'Time', description: 'A time in ISO 8601, in UTC.' });
/** A text for people. A response in another language contains its translation (`src/http/texts`). */
export const text = z.string().meta({
  id: 'Text',
  description: 'A text for people, in English, or in German if the request’s Accept-Language prefers it.',
});
export const count = z.int().min(0);
/** The value that selects the next page, or null on the last page. */
export const next = z.string().nullable().meta({ description: 'The next page’s `after`. Null on the last page.' });
export const after = z.string().optional().meta({ description: 'The previous page’s `next`.' });
/** The period of a list. */
export const period = {
  since: z.string().optional().meta({ description: 'A day in the shop’s time zone or a time in ISO 8601.' }),
  until: z.string().optional().meta({ description: 'The end of the period: a day (inclusive) or a time (exclusive).' }),
};
export const orderIdSchema = z
  .string()
  .max(20, { abort: true })
  .regex(/^[1-9]\d{0,19}$/)
  .meta({ description: 'The numeric part of the order’s ID in the store.' });

/** The body of every error response. */
export const errorSchema = z
  .strictObject({
    error: z.strictObject({
      code: z.string().meta({ description: 'A stable code for programs.' }),
      message: text,
      field: z.string().nullable().meta({ description: 'The invalid field or parameter. Null for any other error.' }),
      rule: text
        .optional()
        .meta({ description: 'The rule that the value breaks, if the message contains more than the rule.' }),
      scopes: z
        .array(z.string())
        .optional()
        .meta({ description: 'The permissions that the store must grant first (403).' }),
      requestId: z.string().optional().meta({ description: 'The ID of the request in the log (500).' }),
    }),
  })
  .meta({ id: 'Error' });

/** A line of an order: the number of units of a SKU. */
export const units = z.strictObject({ sku: z.string().nullable(), quantity: count }).meta({ id: 'Units' });

/** A reason with its explanation. */
export const codedReason = z.strictObject({ code: z.string(), message: text }).meta({ id: 'Reason' });

export const printOrderState = z
  .enum([
    'planned',
    'quoted',
    'submitting',
    'submitted',
    'in_production',
    'shipped',
    'fulfilled',
    'held',
    'uncertain',
    'shipped_no_tracking',
    'canceled',
    'failed',
  ])
  .meta({ id: 'PrintOrderState' });

/** Orders that are waiting for a print link that now exists. */
export const waitingForLink = z.strictObject({ orders: count, since: time }).meta({ id: 'WaitingForLink' });

/** How many print links an import or a template saves. */
export const savedCount = { created: count, changed: count, unchanged: count };

/** A shipping method that the print service offers. */
export const shownMethod = z
  .strictObject({
    uid: z.string(),
    name: z.string(),
    type: z.string().nullable(),
    price: z.string().nullable(),
    currency: z.string(),
    from: z.string().nullable(),
    to: z.string().nullable(),
    isChosen: z.boolean(),
  })
  .meta({ id: 'ListedMethod' });
