import { exactJson } from '../graphql/exact-json.ts';
import { toNumericId } from '../graphql/gid.ts';
import type { Shop } from '../state.ts';
import { dateTime } from '../graphql/view.ts';

/** Returns a shop in the format of the `app/uninstalled` body. */
export function shopPayload(shop: Shop): string {
  const { address1, city, province, provinceCode, country, countryCode, zip, phone } = shop.address;
  return exactJson({
    id: BigInt(toNumericId(shop.id)),
    name: shop.name,
    email: shop.email,
    customer_email: shop.contactEmail,
    domain: shop.domain,
    myshopify_domain: shop.domain,
    address1,
    city,
    province,
    province_code: provinceCode,
    country: countryCode,
    country_code: countryCode,
    country_name: country,
    zip,
    phone,
    currency: shop.currencyCode,
    iana_timezone: shop.ianaTimezone,
    plan_name: 'partner_test',
    plan_display_name: 'Basic',
    created_at: dateTime(shop.createdAt),
  });
}
