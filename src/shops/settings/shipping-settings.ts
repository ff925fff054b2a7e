import { flag } from './setting-types.ts';
import { shippingRules } from './shipping-rules.ts';

/** How a print order is shipped. */
export const shippingSettings = {
  shippingRules: shippingRules.describe(
    'Rules that choose the shipment method; the first one that applies and can be met is used: a list of {"name","when","choose"}, at most 50',
  ),
  allowMultipleQuotes: flag.describe(
    'Let the print service split an order among several of its facilities, as several parcels',
  ),
};

export const shippingDefaults = {
  shippingRules: [],
  allowMultipleQuotes: true,
};
