import { createAttribute, productStatus, type Catalog } from './catalog.ts';
import { FLAT, toDimensions, toHundredths, type Product } from './product.ts';
import { allCountries } from './supported-countries.ts';

interface Size {
  title: string;
  materials: readonly (keyof typeof materials)[];
  price: number;
  weightGrams: number;
  diameter: number;
  height: number;
  madeIn: readonly string[];
  supportedCountries: readonly string[];
}

const LARGE_MADE_IN = ['US', 'GB', 'AU'];
const CERAMIC = ['ceramic-white', 'ceramic-black', 'ceramic-blue', 'ceramic-red', 'ceramic-green'] as const;

/** `extra` is added to the size's price for each piece, in USD. */
const materials = {
  'ceramic-white': { title: 'Ceramic, white', extra: 0 },
  'ceramic-black': { title: 'Ceramic, black', extra: 0.7 },
  'ceramic-blue': { title: 'Ceramic, blue inside', extra: 0.5 },
  'ceramic-red': { title: 'Ceramic, red inside', extra: 0.5 },
  'ceramic-green': { title: 'Ceramic, green inside', extra: 0.5 },
  'enamel-white': { title: 'Enamel, white', extra: 0 },
  'steel-white': { title: 'Stainless steel, white', extra: 0 },
};

const sizes: Readonly<Record<string, Size>> = {
  '11-oz': {
    title: '11 oz',
    materials: CERAMIC,
    price: 6.1,
    weightGrams: 380,
    diameter: 82,
    height: 96,
    madeIn: ['US', 'GB', 'DE', 'AU'],
    supportedCountries: allCountries,
  },
  '15-oz': {
    title: '15 oz',
    materials: CERAMIC,
    price: 7.4,
    weightGrams: 520,
    diameter: 86,
    height: 119,
    madeIn: LARGE_MADE_IN,
    supportedCountries: allCountries,
  },
  '12-oz': {
    title: '12 oz',
    materials: ['enamel-white'],
    price: 8.2,
    weightGrams: 210,
    diameter: 88,
    height: 81,
    madeIn: LARGE_MADE_IN,
    supportedCountries: allCountries,
  },
  '20-oz': {
    title: '20 oz',
    materials: ['steel-white'],
    price: 12.9,
    weightGrams: 330,
    diameter: 76,
    height: 170,
    madeIn: ['US'],
    supportedCountries: ['US'],
  },
};

/** Mugs. The steel mug ships only to the United States. */
export const mugs: Catalog = {
  catalogUid: 'mugs',
  title: 'Mugs',
  productAttributes: [
    createAttribute('MugSize', 'Size', sizes),
    createAttribute('MugMaterial', 'Material', materials),
    createAttribute('ColorType', 'Colors', { '4-0': 'Outside in color' }),
    productStatus,
  ],
  products: Object.entries(sizes).flatMap(([sizeUid, size]) =>
    size.materials.map((material) => createMug(sizeUid, size, material)),
  ),
};

function createMug(sizeUid: string, size: Size, material: keyof typeof materials): Product {
  const { price, weightGrams, diameter, height, madeIn, supportedCountries } = size;
  return {
    ...FLAT,
    productUid: `mug_product_msz_${sizeUid}_mmat_${material}_cl_4-0`,
    productName: material.startsWith('ceramic') ? 'Ceramic Mug' : 'Mug',
    attributes: { MugSize: sizeUid, MugMaterial: material, ColorType: '4-0', ProductStatus: 'activated' },
    price: toHundredths(price + materials[material].extra),
    weightGrams,
    dimensions: toDimensions(diameter, height, diameter),
    madeIn,
    supportedCountries,
  };
}
