import { createHash } from 'node:crypto';
import type { Shop } from '../database/entities/shops.ts';
import type { PortQuoteRequest } from '../print/port.ts';
import type { CheckoutCart } from './checkout-cart.ts';
import { toPlainText } from './to-plain-text.ts';
import type { PrintedItem } from './split-cart.ts';

/** Placeholders for fields that the print interface requires but a checkout does not provide. They describe no real person. */
const PLACEHOLDERS = { firstName: 'Guest', lastName: 'Guest', addressLine1: 'Street 1', city: 'City' } as const;
/** Brazil requires a tax ID, but only its format is checked. This ID belongs to nobody. */
const NO_TAX_ID = '00000000000';
const LONGEST = { city: 30, postCode: 15, state: 35 } as const;
/** The most populous state of each country whose prices depend on the state. */
export const SAMPLE_STATES: Readonly<Record<string, string>> = { AU: 'NSW', CA: 'ON', US: 'CA' };
const NEEDS_STATE = new Set(Object.keys(SAMPLE_STATES));

interface RateQuoteFacts {
  shop: Pick<Shop, 'domain'>;
  destination: CheckoutCart['destination'];
  printed: readonly PrintedItem[];
  currency: string;
  postCodePlaceholder: string;
  allowMultipleQuotes: boolean;
}

/**
 * Builds the quote request for a cart (docs/rules/print-interface.md#quote-order). Only the recipient's destination is known, so the other
 * address fields are placeholders. Identical carts and destinations yield identical requests, which share a cached quote. Returns null if
 * the country requires a state for a price and the state is not known yet.
 */
export function toRateQuote(facts: RateQuoteFacts): PortQuoteRequest | null {
  const { shop, destination, currency, postCodePlaceholder, allowMultipleQuotes } = facts;
  const country = destination.country.toUpperCase();
  if (NEEDS_STATE.has(country) && destination.province === null) return null;
  // A value that is too long for its field is truncated, because the price does not depend on the rest.
  const recipient = {
    ...PLACEHOLDERS,
    city: toPlainText(destination.city, LONGEST.city) ?? PLACEHOLDERS.city,
    postCode: toPlainText(destination.postal_code, LONGEST.postCode) ?? postCodePlaceholder,
    ...(destination.province !== null && { state: toPlainText(destination.province, LONGEST.state) ?? '' }),
    country,
    email: `rates@${shop.domain}`,
    ...(country === 'BR' && { federalTaxId: NO_TAX_ID }),
  };
  const products = toProducts(facts.printed);
  const parts = { currency, recipient, products, allowMultipleQuotes };
  const [reference, customer] = [toSampleReference(parts), `${shop.domain.replace(/\.myshopify\.com$/, '')}-guest`];
  return { ...parts, orderReferenceId: reference, customerReferenceId: customer };
}

function toProducts(printed: readonly PrintedItem[]): PortQuoteRequest['products'] {
  const ordered = printed.toSorted((one, other) => Number(one.link.id) - Number(other.link.id));
  return ordered.map(({ link, quantity }, index) => ({
    itemReferenceId: String(index + 1),
    productUid: link.productUid,
    ...(link.pageCount === null ? {} : { pageCount: link.pageCount }),
    ...(link.fileUrl === null ? {} : { files: [{ type: 'default', url: link.fileUrl }] }),
    quantity,
    ...(link.envelopeProductUid === null || link.envelopesPerPiece === null
      ? {}
      : { envelopes: { productUid: link.envelopeProductUid, quantity: link.envelopesPerPiece * quantity } }),
  }));
}

/**
 * Returns a quote's reference as a number, as one of the earlier interfaces requires. The reference need not be unique, because a quote
 * creates no order.
 */
export function toSampleReference(parts: unknown): string {
  const hash = createHash('sha256').update(JSON.stringify(parts)).digest();
  return String(hash.readUInt32BE() >>> 1);
}
