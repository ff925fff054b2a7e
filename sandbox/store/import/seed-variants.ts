/** A variant of the seeded demo shop. Printed variants include the data for their print link. */
export interface VariantSeed {
  product: string;
  title: string;
  sku: string;
  price: string;
  weightGrams: number;
  requiresShipping: boolean;
  /** Null for the merchant's own stock. */
  productUid: string | null;
  printFileUrl: string | null;
  pageCount: number | null;
}

const createTShirt = (size: string) =>
  `apparel_product_gca_t-shirt_gsc_crewneck_gcu_unisex_gqa_classic_gsi_${size}_gco_white_gpr_4-0`;

const createPrintedVariant = (
  product: string,
  title: string,
  sku: string,
  price: string,
  weightGrams: number,
  productUid: string,
  pageCount: number | null = null,
): VariantSeed => ({
  product,
  title,
  sku,
  price,
  weightGrams,
  requiresShipping: true,
  productUid,
  printFileUrl: `https://files.example/${sku.toLowerCase()}.pdf`,
  pageCount,
});

/** The variants of the demo shop. */
export const variantSeeds: readonly VariantSeed[] = [
  createPrintedVariant(
    'Harbour Poster',
    '13 × 18 cm',
    'POSTER-13X18',
    '12.00',
    60,
    'flat_130x180-mm-5r_170-gsm-65lb-uncoated_4-0_ver',
  ),
  createPrintedVariant(
    'Harbour Poster',
    '30 × 40 cm',
    'POSTER-30X40',
    '24.00',
    120,
    'flat_300x400-mm-12x16-inch_170-gsm-65lb-uncoated_4-0_ver',
  ),
  createPrintedVariant(
    'Harbour Mug',
    '11 oz',
    'MUG-11OZ',
    '16.00',
    350,
    'mug_product_msz_11-oz_mmat_ceramic-white_cl_4-0',
  ),
  createPrintedVariant(
    'Harbour Mug',
    '15 oz',
    'MUG-15OZ',
    '19.00',
    450,
    'mug_product_msz_15-oz_mmat_ceramic-white_cl_4-0',
  ),
  createPrintedVariant('Harbour T-Shirt', 'S', 'TSHIRT-S', '28.00', 160, createTShirt('s')),
  createPrintedVariant('Harbour T-Shirt', 'M', 'TSHIRT-M', '28.00', 170, createTShirt('m')),
  createPrintedVariant('Harbour T-Shirt', 'L', 'TSHIRT-L', '28.00', 180, createTShirt('l')),
  createPrintedVariant(
    'Harbour Cards',
    'Default Title',
    'CARDS',
    '9.00',
    80,
    'cards_pf_5r_pt_350-gsm-coated-silk_cl_4-4_ver',
  ),
  createPrintedVariant(
    'Harbour Photo Book',
    'Default Title',
    'BOOK-28',
    '39.00',
    420,
    'photobooks-softcover_pf_210x210-mm-8x8-inch_pt_170-gsm-coated-silk_cl_4-4_bt_glued-left',
    28,
  ),
  {
    product: 'Harbour Vase',
    title: 'Default Title',
    sku: 'VASE',
    price: '45.00',
    weightGrams: 900,
    requiresShipping: true,
    productUid: null,
    printFileUrl: null,
    pageCount: null,
  },
  {
    product: 'Gift Card',
    title: '$25',
    sku: 'GIFT-25',
    price: '25.00',
    weightGrams: 0,
    requiresShipping: false,
    productUid: null,
    printFileUrl: null,
    pageCount: null,
  },
];
