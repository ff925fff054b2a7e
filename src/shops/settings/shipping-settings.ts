import { flag } from './setting-types.ts';
import { shippingRules } from './shipping-rules.ts';

/** Settings for how print orders are shipped. */
export const shippingSettings = {
  shippingRules: shippingRules.describe(
    'Rules for choosing the shipping method, as a list of at most 50 {"name","when","choose"}. Platen uses the first rule that applies and can be met',
  ),
  allowMultipleQuotes: flag.describe(
    'Allow the print service to split an order among several of its facilities and ship multiple parcels',
  ),
};

export const shippingDefaults = {
  shippingRules: [],
  allowMultipleQuotes: true,
};
