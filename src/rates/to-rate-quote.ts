import { createHash } from 'node:crypto';
import type { Shop } from '../database/entities/shops.ts';
import type { PortQuoteRequest } from '../print/port.ts';
import type { CheckoutCart } from './checkout-cart.ts';
import { cutText } from './cut-text.ts';
import type { PrintedItem } from './share-cart.ts';

/** What stands where the interface asks for more than a checkout tells; of no person. */
const PLACEHOLDERS = { firstName: 'Guest', lastName: 'Guest', addressLine1: 'Street 1', city: 'City' } as const;
/** Brazil asks for a tax id, and by its form alone: this one is nobody's. */
const NO_TAX_ID = '00000000000';
const LONGEST = { city: 30, postCode: 15, state: 35 } as const;
const NEEDS_STATE = new Set(['AU', 'CA', 'US']);

interface RateQuoteFacts {
  shop: Pick<Shop, 'domain'>;
  destination: CheckoutCart['destination'];
  printed: readonly PrintedItem[];
  currency: string;
  postCodePlaceholder: string;
  allowMultipleQuotes: boolean;
}

/**
 * The quote of a cart (docs/rules/print-interface.md#quote-order), to a recipient of whom only the place is known. Equal carts to
 * equal places make equal requests. null where the place is not known well enough: some countries have no price without a state.
 */
export function toRateQuote(facts: RateQuoteFacts): PortQuoteRequest | null {
  const { shop, destination, currency, postCodePlaceholder, allowMultipleQuotes } = facts;
  const country = destination.country.toUpperCase();
  if (NEEDS_STATE.has(country) && destination.province === null) return null;
  // What is too long for a field has a price all the same.
  const recipient = {
    ...PLACEHOLDERS,
    city: cutText(destination.city, LONGEST.city) ?? PLACEHOLDERS.city,
    postCode: cutText(destination.postal_code, LONGEST.postCode) ?? postCodePlaceholder,
    ...(destination.province !== null && { state: cutText(destination.province, LONGEST.state) ?? '' }),
    country,
    email: `rates@${shop.domain}`,
    ...(country === 'BR' && { federalTaxId: NO_TAX_ID }),
  };
  const products = toProducts(facts.printed);
  const parts = { currency, recipient, products, allowMultipleQuotes };
  const [reference, customer] = [toReference(parts), `${shop.domain.replace(/\.myshopify\.com$/, '')}-guest`];
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

/** A number, as v1 has them, that no order's reference is taken for. */
function toReference(parts: unknown): string {
  const hash = createHash('sha256').update(JSON.stringify(parts)).digest();
  return String(hash.readUInt32BE() >>> 1);
}
