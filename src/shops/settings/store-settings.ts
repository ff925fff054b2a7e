import { z } from 'zod';
import { flag, wholeNumber } from './setting-types.ts';

const MOST_REGIONS = 20;
const MOST_TRACKING_DAYS = 60;
const REGION = /^[A-Z]{2,5}(?:-[A-Z]{2})?$/;

/** What the app writes to orders of the store beside fulfilments, and to its products. */
export const storeSettings = {
  holdsInStore: flag.describe('Put the fulfilment on hold in the store too when an order waits for somebody'),
  notifiesCorrections: flag.describe('Let the store tell the buyer when the print service corrects a tracking code'),
  noTrackingDays: wholeNumber(1, MOST_TRACKING_DAYS).describe(
    'Days that a shipped order may be without a tracking code before Platen asks, or fulfills it without one',
  ),
  fulfillsWithoutTracking: flag.describe(
    'Fulfill a shipped order without tracking after noTrackingDays; off: hold it until somebody decides',
  ),
  sendsFulfillmentEvents: flag.describe('Tell the store when a parcel is on its way and when it is delivered'),
  tagsOrders: flag.describe('Add tags to orders in the store that say where their printing stands'),
  stockAtLocation: flag.describe(
    "Stock connected variants at Platen's location, so that the store sends their orders there, and end that when they are not connected any more",
  ),
  hideOutOfStock: flag.describe(
    "Make variants unsellable that the print service cannot deliver to any region: at Platen's location alone, and put back as they were found",
  ),
  stockRegions: z
    .array(z.string().regex(REGION, 'must be a stock region such as EU or US-CA'))
    .min(1, 'must name a region, or be null')
    .max(MOST_REGIONS, `must be at most ${MOST_REGIONS} regions`)
    .nullable()
    .describe('Stock regions of the print service that the shop ships to, such as ["EU","US-CA"]; null is all of them'),
  writesOrderMetafields: flag.describe(
    'Write the print status, the reference and the expected delivery to metafields of the order',
  ),
  writesConnectionStatus: flag.describe(
    'Write how each variant is connected at the print service to metafields of products and variants',
  ),
};

export const storeDefaults = {
  holdsInStore: true,
  notifiesCorrections: false,
  noTrackingDays: 3,
  fulfillsWithoutTracking: false,
  sendsFulfillmentEvents: true,
  tagsOrders: false,
  stockAtLocation: false,
  hideOutOfStock: false,
  stockRegions: null,
  writesOrderMetafields: false,
  writesConnectionStatus: false,
};
