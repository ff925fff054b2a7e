import { flag } from './setting-types.ts';

/** What the app writes to orders of the store beside fulfilments, and to its products. */
export const storeSettings = {
  holdsInStore: flag.describe('Put the fulfilment on hold in the store too when an order waits for somebody'),
  notifiesCorrections: flag.describe('Let the store tell the buyer when the print service corrects a tracking code'),
  sendsFulfillmentEvents: flag.describe('Tell the store when a parcel is on its way and when it is delivered'),
  tagsOrders: flag.describe('Add tags to orders in the store that say where their printing stands'),
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
  sendsFulfillmentEvents: true,
  tagsOrders: false,
  writesOrderMetafields: false,
  writesConnectionStatus: false,
};
