import { createAttribute, productStatus, type Catalog } from './catalog.ts';
import { FLAT, toDimensions, keysOf, type Product } from './product.ts';
import { allCountries } from './supported-countries.ts';

const MADE_IN = ['US', 'GB', 'DE', 'NL', 'AU'];

/** `size` is width and height in millimeters. */
const models = {
  'iphone-13': { title: 'iPhone 13', brand: 'apple', size: [74, 150] },
  'iphone-13pro': { title: 'iPhone 13 Pro', brand: 'apple', size: [74, 150] },
  'iphone-13promax': { title: 'iPhone 13 Pro Max', brand: 'apple', size: [81, 164] },
  'iphone-14': { title: 'iPhone 14', brand: 'apple', size: [74, 150] },
  'iphone-14pro': { title: 'iPhone 14 Pro', brand: 'apple', size: [74, 151] },
  'iphone-14promax': { title: 'iPhone 14 Pro Max', brand: 'apple', size: [81, 164] },
  'iphone-15': { title: 'iPhone 15', brand: 'apple', size: [74, 151] },
  'iphone-15pro': { title: 'iPhone 15 Pro', brand: 'apple', size: [74, 150] },
  'iphone-15promax': { title: 'iPhone 15 Pro Max', brand: 'apple', size: [80, 163] },
  'galaxy-s22': { title: 'Galaxy S22', brand: 'samsung', size: [74, 149] },
  'galaxy-s23': { title: 'Galaxy S23', brand: 'samsung', size: [74, 149] },
  'galaxy-s23ultra': { title: 'Galaxy S23 Ultra', brand: 'samsung', size: [81, 166] },
  'galaxy-s24': { title: 'Galaxy S24', brand: 'samsung', size: [74, 150] },
  'galaxy-s24ultra': { title: 'Galaxy S24 Ultra', brand: 'samsung', size: [82, 165] },
} as const;
const types = {
  flexi: { title: 'Flexi case', color: 'transparent', price: 7.9, weightGrams: 40 },
  tough: { title: 'Tough case', color: 'black', price: 9.4, weightGrams: 55 },
};
const finishes = { satin: 'Satin', glossy: 'Glossy' };

/** Phone cases, which are produced separately from the rest of an order. */
export const phoneCases: Catalog = {
  catalogUid: 'phone-cases',
  title: 'Phone Cases',
  productAttributes: [
    createAttribute('PhoneBrand', 'Brand', { apple: 'Apple', samsung: 'Samsung' }),
    createAttribute('PhoneModel', 'Model', models),
    createAttribute('CaseType', 'Case', types),
    createAttribute('CaseColor', 'Color', { transparent: 'Transparent', black: 'Black' }),
    createAttribute('SurfaceFinish', 'Finish', finishes),
    productStatus,
  ],
  products: keysOf(models).flatMap((model) =>
    keysOf(types).flatMap((type) => keysOf(finishes).map((finish) => createPhoneCase(model, type, finish))),
  ),
};

function createPhoneCase(modelUid: keyof typeof models, typeUid: keyof typeof types, finish: string): Product {
  const { brand, size } = models[modelUid];
  const { color, price, weightGrams } = types[typeUid];
  return {
    ...FLAT,
    producedSeparately: true,
    productUid: `phonecase_${brand}_${modelUid}_${typeUid}_${color}_${finish}`,
    productName: 'Phone Case',
    attributes: {
      PhoneBrand: brand,
      PhoneModel: modelUid,
      CaseType: typeUid,
      CaseColor: color,
      SurfaceFinish: finish,
      ProductStatus: 'activated',
    },
    price,
    weightGrams,
    dimensions: toDimensions(size[0], size[1], 12),
    madeIn: MADE_IN,
    supportedCountries: allCountries,
  };
}
