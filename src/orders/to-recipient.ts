import type { Shop } from '../database/shops.ts';
import type { Settings } from '../shops/settings.ts';
import { fitAddress, type FitAddressResult } from './fit-address.ts';
import type { StoreReading } from './store-reading.ts';

/** The buyer's address as the print service takes it; null when the order has none. */
export function toRecipient(
  order: StoreReading,
  shop: Pick<Shop, 'contactEmail'>,
  settings: Settings,
): FitAddressResult | null {
  if (order.shippingAddress === null) return null;
  const { countryCodeV2: countryCode, ...address } = order.shippingAddress;
  return fitAddress({
    address: { ...address, countryCode },
    email: order.email,
    localizedFields: order.localizedFields,
    noteAttributes: order.customAttributes,
    version: settings.printInterface,
    settings: {
      fallbackEmail: settings.fallbackEmail ?? shop.contactEmail,
      postCodePlaceholder: settings.postCodePlaceholder,
    },
  });
}
