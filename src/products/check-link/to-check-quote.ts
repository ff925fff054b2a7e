import type { PrintLink } from '../../database/entities/products.ts';
import type { Shop } from '../../database/entities/shops.ts';
import type { PortQuoteRequest } from '../../print/port.ts';
import type { Settings } from '../../shops/settings/settings.ts';

/** The link fields that are checked. */
export type CheckedLink = Pick<
  PrintLink,
  'productUid' | 'fileUrl' | 'pageCount' | 'envelopeProductUid' | 'envelopesPerPiece'
>;

type Place = Pick<PortQuoteRequest['recipient'], 'city' | 'addressLine1' | 'postCode' | 'state'>;

/** Never an order's reference: order references start with `pl`, or are numbers from 1 in an earlier interface. */
const REFERENCE = '0';
const ITEM = '1';
const NOBODY = { firstName: 'Link', lastName: 'Check' } as const;
const NO_TAX_ID = '00000000000';
const ANYWHERE = { city: 'City', addressLine1: 'Street 1' } as const;

/**
 * Addresses of public places in countries whose addresses must have a state (docs/rules/addresses.md#limits) or be in the local language. A
 * quote needs an address, and these belong to no buyer.
 */
const PLACES: Readonly<Record<string, Place>> = {
  US: { city: 'New York', addressLine1: 'Broadway 1', postCode: '10004', state: 'NY' },
  CA: { city: 'Toronto', addressLine1: 'Queen Street West 100', postCode: 'M5H 2N2', state: 'ON' },
  AU: { city: 'Sydney', addressLine1: 'George Street 483', postCode: '2000', state: 'NSW' },
  GB: { city: 'London', addressLine1: 'Whitehall 1', postCode: 'SW1A 2HB', state: 'Greater London' },
  BR: { city: 'São Paulo', addressLine1: 'Avenida Paulista 1', postCode: '01311-000', state: 'SP' },
  IN: { city: 'New Delhi', addressLine1: 'Janpath 1', postCode: '110001', state: 'DL' },
  CL: { city: 'Santiago', addressLine1: 'Alameda 1', postCode: '8320000', state: 'RM' },
  CN: { city: '北京', addressLine1: '长安街1号', postCode: '100006' },
  JP: { city: '東京', addressLine1: '千代田1-1', postCode: '100-0001' },
  KR: { city: '서울', addressLine1: '세종대로 1', postCode: '04524' },
  RU: { city: 'Москва', addressLine1: 'Тверская 1', postCode: '125009' },
};

/**
 * Builds the quote request for one unit, delivered to a country (docs/rules/print-interface.md#quote-order). The request orders nothing and
 * contains no personal data.
 */
export function toCheckQuote(
  link: CheckedLink,
  shop: Pick<Shop, 'domain'>,
  { currency, postCodePlaceholder, country }: Pick<Settings, 'currency' | 'postCodePlaceholder'> & { country: string },
): PortQuoteRequest {
  const { productUid, fileUrl, pageCount, envelopeProductUid, envelopesPerPiece } = link;
  return {
    orderReferenceId: REFERENCE,
    customerReferenceId: `${shop.domain.replace(/\.myshopify\.com$/, '')}-guest`,
    currency,
    recipient: {
      ...NOBODY,
      ...(PLACES[country] ?? { ...ANYWHERE, postCode: postCodePlaceholder }),
      country,
      email: `links@${shop.domain}`,
      ...(country === 'BR' && { federalTaxId: NO_TAX_ID }),
    },
    // The product and its envelope may come from different facilities. The check only requires that each of them is quoted.
    allowMultipleQuotes: true,
    products: [
      {
        itemReferenceId: ITEM,
        productUid,
        ...(pageCount === null ? {} : { pageCount }),
        ...(fileUrl === null ? {} : { files: [{ type: 'default', url: fileUrl }] }),
        quantity: 1,
        ...(envelopeProductUid === null || envelopesPerPiece === null
          ? {}
          : { envelopes: { productUid: envelopeProductUid, quantity: envelopesPerPiece } }),
      },
    ],
  };
}
