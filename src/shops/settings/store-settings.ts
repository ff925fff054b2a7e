import { z } from 'zod';
import { flag, wholeNumber } from './setting-types.ts';

const MAX_REGIONS = 20;
const MAX_TRACKING_DAYS = 60;
const REGION = /^[A-Z]{2,5}(?:-[A-Z]{2})?$/;

/** Settings for the data that Platen writes to the store's products and, in addition to fulfillments, to its orders. */
export const storeSettings = {
  holdsInStore: flag.describe('Also put the fulfillment on hold in the store when an order is waiting for a decision'),
  noTrackingDays: wholeNumber(1, MAX_TRACKING_DAYS).describe(
    'Number of days that a shipped order may lack a tracking code before Platen holds it for a decision or fulfills it without tracking',
  ),
  fulfillsWithoutTracking: flag.describe(
    'Fulfill a shipped order without tracking after noTrackingDays. If off, Platen holds the order until someone decides',
  ),
  tagsOrders: flag.describe('Add tags to orders in the store that show their print status'),
  stockAtLocation: flag.describe(
    "Stock connected variants at Platen's location so that the store routes their orders there, and stop stocking variants that are no longer connected",
  ),
  hideOutOfStock: flag.describe(
    "Make variants unavailable for sale at Platen's location while the print service cannot deliver them to any region, and restore them afterward",
  ),
  stockRegions: z
    .array(z.string().regex(REGION, 'must be a stock region such as EU or US-CA'))
    .min(1, 'must name a region, or be empty')
    .max(MAX_REGIONS, `must name at most ${MAX_REGIONS} regions`)
    .nullable()
    .describe('Stock regions that the shop ships to, such as ["EU","US-CA"]; null for all'),
  writesOrderMetafields: flag.describe('Write the print status, reference and expected delivery to order metafields'),
  writesConnectionStatus: flag.describe(
    "Write each variant's connection status at the print service to product and variant metafields",
  ),
};

export const storeDefaults = {
  holdsInStore: true,
  noTrackingDays: 3,
  fulfillsWithoutTracking: false,
  tagsOrders: false,
  stockAtLocation: false,
  hideOutOfStock: false,
  stockRegions: null,
  writesOrderMetafields: false,
  writesConnectionStatus: false,
};
