import type { Shop } from '../../../database/entities/shops.ts';
import type { Settings } from '../../../shops/settings/settings.ts';
import { fitAddress, type FitAddressResult } from '../../address/fit-address.ts';
import { holdHiddenFields } from '../../address/hold-hidden-fields.ts';
import type { StoreReading } from '../../facts/store-reading.ts';

/**
 * Returns the buyer's address in the form that the print service accepts, or why it cannot be sent. Returns null if the order has no
 * address.
 */
export function toRecipient(
  order: StoreReading,
  shop: Pick<Shop, 'contactEmail'>,
  settings: Settings,
): FitAddressResult | null {
  const hidden = holdHiddenFields(order.protectedFieldsMissing);
  if (hidden) return { ok: false, hold: hidden.hold, changes: [] };
  if (order.shippingAddress === null) return null;
  const { countryCodeV2: countryCode, ...address } = order.shippingAddress;
  const fitted = fitAddress({
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
  if (!order.protectedFieldsMissing.includes('shippingAddress.phone')) return fitted;
  const why = 'left out because the app is not approved to read it (protected customer data)';
  return { ...fitted, changes: [...fitted.changes, { field: 'phone', from: null, to: null, why }] };
}
