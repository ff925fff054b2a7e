import type { AdminApi } from '../admin/admin-api.ts';
import { CorrectOrderDocument } from '../generated/operations.ts';
import type { CountryCode } from '../generated/operations.ts';

/** The merchant's corrections of an order. An omitted field stays unchanged. */
export interface OrderCorrection {
  shippingAddress: {
    firstName: string | null;
    lastName: string | null;
    company: string | null;
    address1: string | null;
    address2: string | null;
    city: string | null;
    provinceCode: string | null;
    /** ISO 3166-1 alpha-2. */
    countryCode: string;
    zip: string | null;
    phone: string | null;
  };
  email?: string | null;
  /** All of the order's custom attributes. */
  customAttributes?: { key: string; value: string }[];
}

/**
 * Replaces an order's shipping address and, if given, its email and custom attributes. Safe to repeat. Needs `write_orders`. Throws
 * ShopifyError, with `userErrors` for refused fields.
 */
export async function correctOrder(
  admin: AdminApi,
  id: string,
  { shippingAddress, ...others }: OrderCorrection,
): Promise<void> {
  const countryCode = shippingAddress.countryCode as CountryCode;
  await admin.request(CorrectOrderDocument, {
    input: { id, ...others, shippingAddress: { ...shippingAddress, countryCode } },
  });
}
