import type { Change } from '../../books.ts';
import type { StandIn } from '../stand-in.ts';
import { toStoreTimestamp } from './store-records.ts';
import type { Store, StoreProduct, StoreProductRecord, TemplateRecord, TemplateVariant } from './store-records.ts';
import type { Clock } from '../../../src/clock.ts';

/** The initial store of the account `sandbox-key`. */
export const SEEDED_STORE_ID = '5eed0000-0000-4000-8000-000000000001';

const ACCOUNT = 'sandbox-key';
const TABLES = ['stores', 'storeProducts', 'templates'];
const SIZES = ['S', 'M', 'L'];

/** A product with one variant for each value of the option. The IDs of seeded products are the same after each reset. */
interface Seed {
  number: number;
  title: string;
  externalId: string;
  option: string;
  values: readonly string[];
  productUids: readonly string[];
}

const seeds: readonly Seed[] = [
  {
    number: 1,
    title: 'Harbour Poster',
    externalId: '7647344525501',
    option: 'Size',
    values: ['13 × 18 cm', '30 × 40 cm'],
    productUids: [
      'flat_130x180-mm-5r_170-gsm-65lb-uncoated_4-0_ver',
      'flat_300x400-mm-12x16-inch_170-gsm-65lb-uncoated_4-0_ver',
    ],
  },
  {
    number: 2,
    title: 'Harbour Mug',
    externalId: '7647344525502',
    option: 'Size',
    values: ['11 oz', '15 oz'],
    productUids: ['mug_product_msz_11-oz_mmat_ceramic-white_cl_4-0', 'mug_product_msz_15-oz_mmat_ceramic-white_cl_4-0'],
  },
  {
    number: 3,
    title: 'Harbour T-Shirt',
    externalId: '7647344525503',
    option: 'Size',
    values: SIZES,
    productUids: SIZES.map(
      (size) =>
        `apparel_product_gca_t-shirt_gsc_crewneck_gcu_unisex_gqa_classic_gsi_${size.toLowerCase()}_gco_white_gpr_4-0`,
    ),
  },
];

/** Adds the seeded store with its products and templates if the books contain no store. */
export function seedStores({ clock, books }: StandIn): void {
  if (books.all<Store>('stores').length === 0) books.write(toChanges(clock));
}

/** Restores the seeded store with its products and templates. */
export function resetStores({ clock, books }: StandIn): void {
  books.write([...TABLES.map((table): Change => ['clear', table]), ...toChanges(clock)]);
}

function toChanges(clock: Clock): Change[] {
  const now = clock.now().getTime();
  const store: Store = { id: SEEDED_STORE_ID, account: ACCOUNT };
  return [
    ['put', 'stores', store.id, store],
    ...seeds.flatMap((seed): Change[] => {
      const product = toProduct(seed, now);
      const record: StoreProductRecord = { product, movedMs: now, fileUrls: [] };
      const template = toTemplate(seed, now);
      return [
        ['put', 'storeProducts', product.id, record],
        ['put', 'templates', template.template.id, template],
      ];
    }),
  ];
}

function toProduct(seed: Seed, now: number): StoreProduct {
  const id = seededId('1', seed.number);
  const at = toStoreTimestamp(now);
  const picture = `https://cdn.shop.example/files/${id}`;
  return {
    id,
    storeId: SEEDED_STORE_ID,
    externalId: seed.externalId,
    title: seed.title,
    description: toDescription(seed),
    externalPreviewUrl: `${picture}.png`,
    externalThumbnailUrl: `${picture}_medium.png`,
    publishingErrorCode: null,
    status: 'active',
    publishedAt: at,
    createdAt: at,
    updatedAt: at,
    variants: seed.values.map((title, index) => ({
      id: seededId('2', seed.number, index),
      productId: id,
      title,
      externalId: `4253321802560${seed.number}${index}`,
      connectionStatus: 'connected',
    })),
    productVariantOptions: [{ name: seed.option, values: [...seed.values] }],
  };
}

function toTemplate(seed: Seed, now: number): TemplateRecord {
  const at = toStoreTimestamp(now);
  const variants = seed.values.map((value, index): TemplateVariant => ({
    id: seededId('4', seed.number, index),
    title: value,
    productUid: seed.productUids[index] ?? '',
    variantOptions: [{ name: seed.option, value }],
    imagePlaceholders: [{ name: 'ImageFront', printArea: 'front', height: 137.25, width: 244 }],
    textPlaceholders: [{ name: 'Text', text: 'Harbour' }],
  }));
  const id = seededId('3', seed.number);
  const { title } = seed;
  return {
    account: ACCOUNT,
    template: { id, title, description: toDescription(seed), createdAt: at, updatedAt: at, variants },
  };
}

function toDescription({ title }: Seed): string {
  return `<div><p>${title}, made on demand.</p></div>`;
}

function seededId(kind: string, number: number, index = 0): string {
  return `5eed0000-0000-4000-800${kind}-${String(number * 100 + index).padStart(12, '0')}`;
}
