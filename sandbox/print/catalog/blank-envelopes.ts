import { createAttribute, productStatus, type Catalog } from './catalog.ts';
import { FLAT, toDimensions, keysOf, toHundredths, type Product } from './product.ts';
import { allCountries } from './supported-countries.ts';

const MADE_IN = ['US', 'CA', 'GB', 'DE', 'NL', 'NO', 'AU', 'JP'];

const formats = {
  'a7-env': { title: 'A7, 13.3 x 18.4 cm', size: [133, 184], price: 0.2, countries: allCountries },
  'a6-env': { title: 'A6, 12 x 16.5 cm', size: [120, 165], price: 0.18, countries: allCountries },
  'c5-env': { title: 'C5, 16.2 x 22.9 cm', size: [162, 229], price: 0.24, countries: allCountries },
  'dl-env': { title: 'DL, 11 x 22 cm', size: [110, 220], price: 0.2, countries: allCountries },
  'a2-env': { title: 'A2, 11.1 x 14.6 cm', size: [111, 146], price: 0.16, countries: ['US', 'CA'] },
} as const;
/** `extra` is added to the format's price for each piece, in USD. */
const papers = {
  '120-g-env': { title: '120 gsm, white', extra: 0, weightGrams: 6 },
  '100-g-kraft-env': { title: '100 gsm, kraft', extra: 0.03, weightGrams: 5 },
};

/** Envelopes, which need no print file. The American format ships only to North America. */
export const blankEnvelopes: Catalog = {
  catalogUid: 'blank-envelopes',
  title: 'Blank Envelopes',
  productAttributes: [
    createAttribute('PaperFormat', 'Envelope Format', formats),
    createAttribute('PaperType', 'Paper Type', papers),
    productStatus,
  ],
  products: keysOf(formats).flatMap((format) => keysOf(papers).map((paper) => createEnvelope(format, paper))),
};

function createEnvelope(formatUid: keyof typeof formats, paperUid: keyof typeof papers): Product {
  const { size, price, countries } = formats[formatUid];
  const { extra, weightGrams } = papers[paperUid];
  return {
    ...FLAT,
    printable: false,
    productUid: `blank-envelopes_pf_${formatUid}_pt_${paperUid}`,
    productName: 'Blank Envelope',
    attributes: { PaperFormat: formatUid, PaperType: paperUid, ProductStatus: 'activated' },
    price: toHundredths(price + extra),
    weightGrams,
    dimensions: toDimensions(size[0], size[1], 0.4),
    madeIn: MADE_IN,
    supportedCountries: countries,
  };
}
