import { z } from 'zod';
import { flag, plainText } from './setting-types.ts';
import { shippingRules } from './shipping-rules.ts';

/** How a print order is shipped. */
export const shippingSettings = {
  shippingRules: shippingRules.describe(
    'Rules that choose the shipment method; the first one that applies and can be met is used: a list of {"name","when","choose"}, at most 50',
  ),
  expressWords: z
    .array(plainText(60))
    .refine((words) => words.length <= 20, 'must be at most 20 words')
    .describe('Words in the name or code of a shipping line that mean express shipment, at most 20'),
  allowMultipleQuotes: flag.describe(
    'Let the print service split an order among several of its facilities, as several parcels',
  ),
};

export const shippingDefaults = {
  shippingRules: [],
  expressWords: ['express'],
  allowMultipleQuotes: true,
};
