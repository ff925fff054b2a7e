import { createAttribute, productStatus, type Catalog } from './catalog.ts';
import { FLAT, toDimensions, keysOf, toHundredths, type Product } from './product.ts';
import { allCountries } from './supported-countries.ts';

/** No facility that makes photo books also makes mugs or apparel, so an order that combines them gets two quotes. */
const MADE_IN = ['NL', 'NO'];
const EUROPE_ONLY = ['NO', 'SE', 'DK', 'FI', 'NL', 'BE', 'LU', 'DE', 'AT', 'CH', 'FR', 'ES', 'IT', 'PL', 'GB', 'IE'];
const PRICE_PER_PAGE = 0.22;

const formats = {
  '140x140-mm-6x6-inch': {
    title: '14 x 14 cm',
    size: [140, 140],
    price: 6.4,
    weightGrams: 130,
    countries: allCountries,
  },
  '210x210-mm-8x8-inch': {
    title: '21 x 21 cm',
    size: [210, 210],
    price: 8.3,
    weightGrams: 260,
    countries: allCountries,
  },
  '200x280-mm-8x11-inch': {
    title: '20 x 28 cm',
    size: [200, 280],
    price: 9.9,
    weightGrams: 340,
    countries: allCountries,
  },
  '280x210-mm-11x8-inch': {
    title: '28 x 21 cm',
    size: [280, 210],
    price: 10.1,
    weightGrams: 350,
    countries: allCountries,
  },
  '300x300-mm-12x12-inch': {
    title: '30 x 30 cm',
    size: [300, 300],
    price: 13.6,
    weightGrams: 560,
    countries: EUROPE_ONLY,
  },
} as const;
/** `extra` is added to the format's price for each piece, in USD. */
const papers = {
  '170-gsm-coated-silk': { title: '170 gsm, coated silk', extra: 0, weight: 1 },
  '200-gsm-coated-silk': { title: '200 gsm, coated silk', extra: 0.8, weight: 1.15 },
  '170-gsm-uncoated': { title: '170 gsm, uncoated', extra: 0.3, weight: 1 },
};
const covers = {
  softcover: { title: 'Softcover', extra: 0, weight: 1, thickness: 6, code: '' },
  hardcover: { title: 'Hardcover', extra: 6.3, weight: 2, thickness: 12, code: '_ccl_4-4' },
};

/** Photo books with any number of pages. The largest format ships only to Europe. */
export const photoBooks: Catalog = {
  catalogUid: 'photobooks',
  title: 'Photo Books',
  productAttributes: [
    createAttribute('CoverType', 'Cover', covers),
    createAttribute('PaperFormat', 'Page Format', formats),
    createAttribute('PaperType', 'Paper Type', papers),
    createAttribute('BindingType', 'Binding', { 'glued-left': 'Glued left' }),
    createAttribute('ColorType', 'Colors', { '4-4': 'Both sides in color' }),
    productStatus,
  ],
  products: keysOf(covers).flatMap((cover) =>
    keysOf(formats).flatMap((format) => keysOf(papers).map((paper) => createPhotoBook(cover, format, paper))),
  ),
};

function createPhotoBook(
  coverUid: keyof typeof covers,
  formatUid: keyof typeof formats,
  paperUid: keyof typeof papers,
): Product {
  const cover = covers[coverUid];
  const format = formats[formatUid];
  const paper = papers[paperUid];
  const [width, height] = format.size;
  return {
    ...FLAT,
    multiPage: true,
    productUid: `photobooks-${coverUid}_pf_${formatUid}_pt_${paperUid}_cl_4-4${cover.code}_bt_glued-left`,
    productName: 'Photo Book',
    attributes: {
      CoverType: coverUid,
      PaperFormat: formatUid,
      PaperType: paperUid,
      BindingType: 'glued-left',
      ColorType: '4-4',
      ProductStatus: 'activated',
    },
    price: toHundredths(format.price + paper.extra + cover.extra),
    pricePerPage: PRICE_PER_PAGE,
    weightGrams: Math.round(format.weightGrams * paper.weight * cover.weight),
    dimensions: toDimensions(width, height, cover.thickness),
    madeIn: MADE_IN,
    supportedCountries: format.countries,
    madeOnDemand: true,
  };
}
