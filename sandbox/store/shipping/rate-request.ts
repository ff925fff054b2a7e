import { fullName } from '../orders/address.ts';
import { toCents } from '../orders/amounts.ts';
import { toNumericId } from '../graphql/gid.ts';
import type { Address, LineItem, Shop } from '../state.ts';

/** The cart for which a checkout requests rates. */
export interface Cart {
  destination: Address;
  lines: LineItem[];
  currency: string;
  locale: string;
  customer: { id: string; tags: string[] } | null;
}

/**
 * Builds the body of a request to a carrier service for the lines that ship from one location. Prices are in hundredths in every
 * currency.
 */
export function toRateRequest(shop: Shop, cart: Cart, locationId: string, lines: readonly LineItem[]) {
  const origin = shop.locations.find(({ id }) => id === locationId)?.address ?? shop.address;
  const subtotal = cart.lines.reduce((sum, line) => sum + toCents(line.price) * line.quantity, 0);
  const service = shop.fulfillmentServices.find((one) => one.locationId === locationId);
  return {
    rate: {
      origin: toRateAddress(origin),
      destination: toRateAddress(cart.destination),
      items: lines.map((line) => toItem(line, service?.handle ?? 'manual')),
      currency: cart.currency,
      locale: cart.locale,
      order_totals: { subtotal_price: subtotal, total_price: subtotal, discount_amount: 0 },
      customer: cart.customer && { id: BigInt(toNumericId(cart.customer.id)), tags: cart.customer.tags },
    },
  };
}

function toItem(line: LineItem, fulfillmentService: string) {
  const properties = Object.fromEntries(line.customAttributes.map(({ key, value }) => [key, value]));
  return {
    name: line.variantTitle === null ? line.title : `${line.title} - ${line.variantTitle}`,
    sku: line.sku ?? '',
    quantity: line.quantity,
    grams: line.grams,
    price: toCents(line.price),
    vendor: line.vendor,
    requires_shipping: line.requiresShipping,
    taxable: line.taxable,
    fulfillment_service: fulfillmentService,
    properties: line.customAttributes.length === 0 ? null : properties,
    product_id: line.productId === null ? null : BigInt(toNumericId(line.productId)),
    variant_id: line.variantId === null ? null : BigInt(toNumericId(line.variantId)),
  };
}

function toRateAddress(address: Address) {
  return {
    country: address.countryCode,
    postal_code: address.zip,
    province: address.provinceCode,
    city: address.city,
    name: fullName(address),
    address1: address.address1,
    address2: address.address2,
    address3: null,
    latitude: null,
    longitude: null,
    phone: address.phone,
    fax: null,
    email: null,
    address_type: null,
    company_name: address.company,
  };
}
