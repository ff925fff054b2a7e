import { createAttribute, productStatus, type Catalog } from './catalog.ts';
import { FLAT, toDimensions, toHundredths, type Product } from './product.ts';
import { allCountries } from './supported-countries.ts';

interface Garment {
  productName: string;
  category: string;
  subcategory: string;
  cut: string;
  sizes: readonly (keyof typeof sizes)[];
  colors: readonly string[];
  prints: readonly string[];
  price: number;
  weightGrams: number;
  thickness: number;
  supportedCountries: readonly string[];
}

const MADE_IN = ['US', 'CA', 'GB', 'DE', 'AU', 'JP', 'BR'];
/** The surcharge for the largest sizes, in USD. */
const LARGE_SIZE = 1.5;
const LARGE_SIZES = new Set(['2xl', '3xl']);

const sizes = {
  xs: { title: 'XS', width: 406, height: 660 },
  s: { title: 'S', width: 457, height: 711 },
  m: { title: 'M', width: 508, height: 737 },
  l: { title: 'L', width: 559, height: 762 },
  xl: { title: 'XL', width: 610, height: 787 },
  '2xl': { title: '2XL', width: 660, height: 813 },
  '3xl': { title: '3XL', width: 711, height: 838 },
};
const colors = {
  white: 'White',
  black: 'Black',
  navy: 'Navy',
  red: 'Red',
  'sport-grey': 'Sport Grey',
  'forest-green': 'Forest Green',
};
const prints = { '4-0': 'Front', '0-4': 'Back', '4-4': 'Front and back' };

const ADULT_SIZES: Garment['sizes'] = ['s', 'm', 'l', 'xl', '2xl', '3xl'];

const garments: readonly Garment[] = [
  {
    productName: 'Unisex T-shirt',
    category: 't-shirt',
    subcategory: 'crewneck',
    cut: 'unisex',
    sizes: ADULT_SIZES,
    colors: Object.keys(colors),
    prints: Object.keys(prints),
    price: 9.8,
    weightGrams: 160,
    thickness: 2,
    supportedCountries: allCountries,
  },
  {
    productName: 'Unisex Hoodie',
    category: 'hoodie',
    subcategory: 'pullover',
    cut: 'unisex',
    sizes: ADULT_SIZES,
    colors: ['white', 'black', 'navy', 'sport-grey'],
    prints: ['4-0', '4-4'],
    price: 22.4,
    weightGrams: 520,
    thickness: 6,
    supportedCountries: allCountries,
  },
  {
    productName: 'Kids T-shirt',
    category: 't-shirt',
    subcategory: 'crewneck',
    cut: 'kids',
    sizes: ['xs', 's', 'm', 'l'],
    colors: ['white', 'black', 'navy', 'red'],
    prints: ['4-0'],
    price: 8.7,
    weightGrams: 110,
    thickness: 2,
    supportedCountries: ['US', 'CA', 'MX'],
  },
];

/** T-shirts and hoodies. Children's T-shirts ship only to North America. */
export const apparel: Catalog = {
  catalogUid: 'apparel',
  title: 'Apparel',
  productAttributes: [
    createAttribute('GarmentCategory', 'Category', { 't-shirt': 'T-shirt', hoodie: 'Hoodie' }),
    createAttribute('GarmentSubcategory', 'Subcategory', { crewneck: 'Crewneck', pullover: 'Pullover' }),
    createAttribute('GarmentCut', 'Cut', { unisex: 'Unisex', kids: 'Kids' }),
    createAttribute('GarmentQuality', 'Quality', { classic: 'Classic' }),
    createAttribute('GarmentSize', 'Size', sizes),
    createAttribute('GarmentColor', 'Color', colors),
    createAttribute('GarmentPrint', 'Print', prints),
    productStatus,
  ],
  products: garments.flatMap((garment) =>
    garment.sizes.flatMap((size) =>
      garment.colors.flatMap((color) => garment.prints.map((print) => toProduct(garment, size, color, print))),
    ),
  ),
};

function toProduct(garment: Garment, size: keyof typeof sizes, color: string, print: string): Product {
  const { productName, category, subcategory, cut, price, weightGrams, thickness, supportedCountries } = garment;
  const { width, height } = sizes[size];
  const kind = `gca_${category}_gsc_${subcategory}_gcu_${cut}_gqa_classic`;
  return {
    ...FLAT,
    productUid: `apparel_product_${kind}_gsi_${size}_gco_${color}_gpr_${print}`,
    productName,
    attributes: {
      GarmentCategory: category,
      GarmentSubcategory: subcategory,
      GarmentCut: cut,
      GarmentQuality: 'classic',
      GarmentSize: size,
      GarmentColor: color,
      GarmentPrint: print,
      ProductStatus: 'activated',
    },
    price: toHundredths(LARGE_SIZES.has(size) ? price + LARGE_SIZE : price),
    weightGrams,
    dimensions: toDimensions(width, height, thickness),
    madeIn: MADE_IN,
    supportedCountries,
  };
}
