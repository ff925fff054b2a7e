import type { PrintOrderLine } from '../../database/entities/print-orders.ts';
import type { Shop } from '../../database/entities/shops.ts';
import type { Settings } from '../../shops/settings/settings.ts';
import type { ShippingPreference } from '../facts/shipping-method-rule.ts';
import type { ShippingPolicy } from './choose-shipping.ts';
import { dayOf } from '../facts/shop-clock.ts';
import type { Recipient } from '../facts/recipient-column.ts';

type Line = Pick<PrintOrderLine, 'shopifyLineItemId' | 'sku' | 'productUid'>;

/** Returns the data from which a print order's shipping method is chosen. */
export function toShippingPreference(
  recipient: Pick<Recipient, 'address' | 'shippingLines' | 'productTags' | 'shippingWay'>,
  lines: readonly Line[],
): ShippingPreference {
  const { address, shippingLines, productTags, shippingWay } = recipient;
  return {
    shippingLines,
    country: address.country,
    isBusiness: address.isBusiness ?? false,
    products: lines.map(({ shopifyLineItemId, sku, productUid }) => ({
      sku,
      productUid,
      tags: productTags[shopifyLineItemId] ?? [],
    })),
    settled: shippingWay,
  };
}

/** Returns the shop's rules for choosing methods. `today` is the date in the shop's time zone. */
export function toShippingPolicy(settings: Settings, { timeZone }: Pick<Shop, 'timeZone'>, now: Date): ShippingPolicy {
  const { shippingRules: rules, currency } = settings;
  return { rules, currency, today: dayOf(now, timeZone) };
}
