import { createAttribute, orientation, ORIENTATIONS, productStatus, type Catalog } from './catalog.ts';
import { FLAT, toDimensions, keysOf, toHundredths, type Product } from './product.ts';
import { allCountries } from './supported-countries.ts';

const MADE_IN = ['US', 'CA', 'GB', 'DE', 'NL', 'NO', 'AU', 'JP'];

const formats = {
  '5r': { title: '5R, 13 x 18 cm', width: 127, height: 178, price: 1.45, weightGrams: 12 },
  a5: { title: 'A5', width: 148, height: 210, price: 1.7, weightGrams: 16 },
  a6: { title: 'A6', width: 105, height: 148, price: 1.1, weightGrams: 8 },
  dl: { title: 'DL', width: 99, height: 210, price: 1.3, weightGrams: 10 },
  sq: { title: 'Square, 14 x 14 cm', width: 140, height: 140, price: 1.4, weightGrams: 10 },
  bx: { title: 'Business card, 8.5 x 5.5 cm', width: 55, height: 85, price: 0.4, weightGrams: 3 },
};
/** `extra` is added to the format's price (USD) and weight (grams) for each piece. */
const papers = {
  '350-gsm-coated-silk': {
    title: '350 gsm, coated silk',
    coating: 'silk-coating',
    extra: { price: 0, weightGrams: 0 },
  },
  '100-lb-cover-coated-silk': {
    title: '100 lb cover, coated silk',
    coating: 'silk-coating',
    extra: { price: -0.05, weightGrams: -1 },
  },
  '110-lb-cover-uncoated': { title: '110 lb cover, uncoated', coating: 'none', extra: { price: 0, weightGrams: 0 } },
  '300-gsm-uncoated': { title: '300 gsm, uncoated', coating: 'none', extra: { price: -0.1, weightGrams: -1 } },
};
/** The discount per piece for a blank back, in USD. */
const BLANK_BACK_DISCOUNT = 0.1;
const colors = { '4-4': 'Both sides in color', '4-0': 'One side in color' };

/** Greeting cards, postcards and business cards: every format on every paper, with one or both sides printed, in both orientations. */
export const cards: Catalog = {
  catalogUid: 'cards',
  title: 'Cards',
  productAttributes: [
    orientation,
    createAttribute('PaperFormat', 'Paper Format', formats),
    createAttribute('PaperType', 'Paper Type', papers),
    createAttribute('CoatingType', 'Coating', { none: 'None', 'silk-coating': 'Silk' }),
    createAttribute('ColorType', 'Colors', colors),
    productStatus,
  ],
  products: keysOf(formats).flatMap((format) =>
    keysOf(papers).flatMap((paper) =>
      keysOf(colors).flatMap((color) => ORIENTATIONS.map((way) => createCard(format, paper, color, way))),
    ),
  ),
};

function createCard(
  formatUid: keyof typeof formats,
  paperUid: keyof typeof papers,
  color: keyof typeof colors,
  way: 'ver' | 'hor',
): Product {
  const format = formats[formatUid];
  const { coating, extra } = papers[paperUid];
  const [width, height] = way === 'ver' ? [format.width, format.height] : [format.height, format.width];
  return {
    ...FLAT,
    productUid: `cards_pf_${formatUid}_pt_${paperUid}_cl_${color}_${way}`,
    productName: 'Cards',
    attributes: {
      Orientation: way,
      PaperFormat: formatUid,
      PaperType: paperUid,
      CoatingType: coating,
      ColorType: color,
      ProductStatus: 'activated',
    },
    price: toHundredths(format.price + extra.price - (color === '4-0' ? BLANK_BACK_DISCOUNT : 0)),
    weightGrams: format.weightGrams + extra.weightGrams,
    dimensions: toDimensions(width, height, 0.35),
    madeIn: MADE_IN,
    supportedCountries: allCountries,
    madeOnDemand: true,
  };
}
