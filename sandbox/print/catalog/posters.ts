import { createAttribute, orientation, ORIENTATIONS, productStatus, type Catalog } from './catalog.ts';
import { FLAT, toDimensions, keysOf, toHundredths, type Product } from './product.ts';
import { allCountries } from './supported-countries.ts';

const MADE_IN = ['US', 'CA', 'GB', 'DE', 'NL', 'NO', 'AU', 'JP', 'BR'];

const formats = {
  '130x180-mm-5r': { title: '13 x 18 cm / 5 x 7 in', width: 130, height: 180, price: 5.56, weightGrams: 20 },
  '150x200-mm-6x8-inch': { title: '15 x 20 cm / 6 x 8 in', width: 150, height: 200, price: 6.05, weightGrams: 26 },
  '210x297-mm-8x12-inch': { title: 'A4 / 8 x 12 in', width: 210, height: 297, price: 6.9, weightGrams: 40 },
  '300x300-mm-12x12-inch': { title: '30 x 30 cm / 12 x 12 in', width: 300, height: 300, price: 8.1, weightGrams: 62 },
  '300x400-mm-12x16-inch': { title: '30 x 40 cm / 12 x 16 in', width: 300, height: 400, price: 8.95, weightGrams: 80 },
  '400x500-mm-16x20-inch': { title: '40 x 50 cm / 16 x 20 in', width: 400, height: 500, price: 11.2, weightGrams: 130 },
  '500x700-mm-20x28-inch': { title: '50 x 70 cm / 20 x 28 in', width: 500, height: 700, price: 14.5, weightGrams: 220 },
  '600x800-mm-24x32-inch': { title: '60 x 80 cm / 24 x 32 in', width: 600, height: 800, price: 17.9, weightGrams: 300 },
  '610x910-mm-24x36-inch': { title: '61 x 91 cm / 24 x 36 in', width: 610, height: 910, price: 18.9, weightGrams: 340 },
  '700x1000-mm-28x40-inch': {
    title: '70 x 100 cm / 28 x 40 in',
    width: 700,
    height: 1000,
    price: 21.75,
    weightGrams: 430,
  },
};

/** A paper's price and weight are those of the first paper in this table, multiplied by `factor`. */
const papers = {
  '170-gsm-65lb-uncoated': {
    title: '170 gsm / 65 lb, uncoated',
    productName: 'Classic Matte Poster',
    coating: 'none',
    thickness: 0.21,
    factor: 1,
  },
  '200-gsm-80lb-coated-silk': {
    title: '200 gsm / 80 lb, coated silk',
    productName: 'Semi-Glossy Poster',
    coating: 'silk-coating',
    thickness: 0.19,
    factor: 1.15,
  },
  '250-gsm-100lb-uncoated-offwhite-archival': {
    title: '250 gsm / 100 lb, uncoated, off-white, archival',
    productName: 'Museum-Quality Matte Poster',
    coating: 'none',
    thickness: 0.31,
    factor: 1.45,
  },
};

/** Posters: every format on every paper, in both orientations. */
export const posters: Catalog = {
  catalogUid: 'posters',
  title: 'Posters',
  productAttributes: [
    orientation,
    createAttribute('PaperFormat', 'Paper Format', formats),
    createAttribute('PaperType', 'Paper Type', papers),
    createAttribute('CoatingType', 'Coating', { none: 'None', 'silk-coating': 'Silk' }),
    createAttribute('ColorType', 'Colors', { '4-0': 'One side in color' }),
    productStatus,
  ],
  products: keysOf(papers).flatMap((paper) =>
    keysOf(formats).flatMap((format) => ORIENTATIONS.map((way) => createPoster(format, paper, way))),
  ),
};

function createPoster(formatUid: keyof typeof formats, paperUid: keyof typeof papers, way: 'ver' | 'hor'): Product {
  const { price, weightGrams, ...format } = formats[formatUid];
  const paper = papers[paperUid];
  const [width, height] = way === 'ver' ? [format.width, format.height] : [format.height, format.width];
  return {
    ...FLAT,
    productUid: `flat_${formatUid}_${paperUid}_4-0_${way}`,
    productName: paper.productName,
    attributes: {
      Orientation: way,
      PaperFormat: formatUid,
      PaperType: paperUid,
      CoatingType: paper.coating,
      ColorType: '4-0',
      ProductStatus: 'activated',
    },
    price: toHundredths(price * paper.factor),
    weightGrams: Math.round(weightGrams * paper.factor),
    dimensions: toDimensions(width, height, paper.thickness),
    madeIn: MADE_IN,
    supportedCountries: allCountries,
    madeOnDemand: true,
  };
}
