import { fields, flag, httpsUrl, plainText } from './setting-types.ts';
import { shippingRules } from './shipping-rules.ts';

/** Settings for how print orders are shipped, and for their packing slips. */
export const shippingSettings = {
  shippingRules: shippingRules.describe(
    'Rules for choosing the shipping method, as a list of at most 50 {"name","when","choose"}. Platen uses the first rule that applies and can be met',
  ),
  allowMultipleQuotes: flag.describe(
    'Allow the print service to split an order among several of its facilities and ship multiple parcels',
  ),
  packingSlip: fields({
    logoUrl: httpsUrl.optional(),
    message: plainText(500).optional(),
    printsNote: flag.optional(),
  })
    .nullable()
    .describe(
      'Your own content for packing slips, such as {"logoUrl":"https://cdn.example.com/logo.png","message":"Thank you!","printsNote":true}. With "printsNote":true, a slip contains the note of the order as a gift message',
    ),
};

export const shippingDefaults = {
  shippingRules: [],
  allowMultipleQuotes: true,
  packingSlip: null,
};
