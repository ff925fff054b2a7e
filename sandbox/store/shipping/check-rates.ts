import { z } from 'zod';

const date = z.string().refine(isMoment, 'must be a date and time');

const rateSchema = z.looseObject({
  service_name: z.string().min(1).max(255),
  service_code: z.string().min(1).max(255),
  description: z.string().nullish(),
  currency: z.string().regex(/^[A-Z]{3}$/, 'must be a currency of three capital letters'),
  total_price: z.string().regex(/^\d+$/, 'must be a string of digits, the price in subunits'),
  phone_required: z.boolean().nullish(),
  min_delivery_date: date.nullish(),
  max_delivery_date: date.nullish(),
});

const answerSchema = z.looseObject({ rates: z.array(rateSchema) });

/** A rate in a carrier service's response. */
export type Rate = z.output<typeof rateSchema>;

/**
 * Returns the rates in a carrier service's response, and its problems (shopify.dev, CarrierService). One invalid rate invalidates all of
 * them.
 */
export function checkRates(body: string): { rates: Rate[]; problems: string[] } {
  const parsed = answerSchema.safeParse(toJson(body));
  if (!parsed.success) {
    return { rates: [], problems: parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) };
  }
  const { rates } = parsed.data;
  const problems = rates.flatMap(({ service_code: code, min_delivery_date: min, max_delivery_date: max }, index) => [
    ...(rates.findIndex((rate) => rate.service_code === code) < index ? [`rates.${index}: ${code} is used twice`] : []),
    ...(min && max && toIso(min) > toIso(max) ? [`rates.${index}: min_delivery_date is after max_delivery_date`] : []),
  ]);
  return { rates: problems.length > 0 ? [] : rates, problems };
}

/** Returns whether the text is a valid time. Impossible dates are invalid, although JavaScript would roll them over. */
function isMoment(text: string): boolean {
  const [day = ''] = /^\d{4}-\d\d-\d\d/.exec(text) ?? [];
  return z.iso.date().safeParse(day).success && !Number.isNaN(Date.parse(toIso(text)));
}

/** Converts a time to ISO 8601. Also accepts the format of Shopify's own examples: `2013-04-12 14:48:45 -0400`. */
function toIso(text: string): string {
  return text.replace(/^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) ([+-]\d\d):?(\d\d)$/, '$1T$2$3:$4');
}

function toJson(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return undefined;
  }
}
