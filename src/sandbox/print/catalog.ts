/** A product of the stand-in's catalogue. */
export interface Product {
  productUid: string;
  productName: string;
  /** For one piece, in USD. */
  price: number;
  /** For each page of one piece, in USD, beside `price`. */
  pricePerPage: number;
  /** For one piece. */
  weightGrams: number;
  /** Countries of the facilities that make it. */
  madeIn: readonly string[];
  /** Needs a print file. */
  printable: boolean;
  /** Needs a page count. */
  multiPage: boolean;
  /** Quoted with the rest of an order, but made apart from it: its order comes back as connected parts. */
  madeApart: boolean;
}

const EVERYWHERE = ['US', 'CA', 'GB', 'DE', 'NL', 'NO', 'AU', 'JP', 'BR'] as const;
const CARDS = ['US', 'CA', 'GB', 'DE', 'NL', 'NO', 'AU', 'JP'] as const;
const APPAREL = ['US', 'CA', 'GB', 'DE', 'AU', 'JP', 'BR'] as const;
const MUGS = ['US', 'GB', 'DE', 'AU'] as const;
const LARGE_MUGS = ['US', 'GB', 'AU'] as const;
const PHOTO_BOOKS = ['NL', 'NO'] as const;
const PHONE_CASES = ['US', 'GB', 'DE', 'NL', 'AU'] as const;

const FLAT = { printable: true, multiPage: false, madeApart: false, pricePerPage: 0 };

function poster(format: string, price: number, weightGrams: number): Product {
  const productUid = `flat_${format}_170-gsm-65lb-uncoated_4-0_ver`;
  return { ...FLAT, productUid, productName: 'Classic Matte Poster', price, weightGrams, madeIn: EVERYWHERE };
}

function shirt(size: string, color: string, print: string): Product {
  const productUid = `apparel_product_gca_t-shirt_gsc_crewneck_gcu_unisex_gqa_classic_gsi_${size}_gco_${color}_gpr_${print}`;
  return { ...FLAT, productUid, productName: 'Unisex T-shirt', price: 9.8, weightGrams: 160, madeIn: APPAREL };
}

function hoodie(size: string): Product {
  const productUid = `apparel_product_gca_hoodie_gsc_pullover_gcu_unisex_gqa_classic_gsi_${size}_gco_black_gpr_4-0`;
  return { ...FLAT, productUid, productName: 'Unisex Hoodie', price: 22.4, weightGrams: 520, madeIn: APPAREL };
}

function mug(productUid: string, price: number, weightGrams: number, madeIn: readonly string[]): Product {
  return { ...FLAT, productUid, productName: 'Ceramic Mug', price, weightGrams, madeIn };
}

function cards(productUid: string, price: number, weightGrams: number): Product {
  return { ...FLAT, productUid, productName: 'Cards', price, weightGrams, madeIn: CARDS };
}

function photoBook(productUid: string, price: number, weightGrams: number): Product {
  const perPage = { multiPage: true, pricePerPage: 0.22 };
  return { ...FLAT, ...perPage, productUid, productName: 'Photo Book', price, weightGrams, madeIn: PHOTO_BOOKS };
}

/** Everything the stand-in makes. Photo books share no facility with mugs and apparel, so that such an order takes two quotes. */
const products: readonly Product[] = [
  poster('130x180-mm-5r', 5.56, 20),
  poster('210x297-mm-8x12-inch', 6.9, 40),
  poster('300x400-mm-12x16-inch', 8.95, 80),
  poster('400x500-mm-16x20-inch', 11.2, 130),
  poster('500x700-mm-20x28-inch', 14.5, 220),
  poster('700x1000-mm-28x40-inch', 21.75, 430),
  ...['s', 'm', 'l', 'xl'].flatMap((size) => ['white', 'black'].map((color) => shirt(size, color, '4-0'))),
  ...['s', 'm', 'l', 'xl'].map((size) => shirt(size, 'white', '4-4')),
  ...['s', 'm', 'l', 'xl'].map(hoodie),
  mug('mug_product_msz_11-oz_mmat_ceramic-white_cl_4-0', 6.1, 380, MUGS),
  mug('mug_product_msz_11-oz_mmat_ceramic-black_cl_4-0', 6.8, 380, MUGS),
  mug('mug_product_msz_15-oz_mmat_ceramic-white_cl_4-0', 7.4, 520, LARGE_MUGS),
  mug('mug_product_msz_12-oz_mmat_enamel-white_cl_4-0', 8.2, 210, LARGE_MUGS),
  cards('cards_pf_5r_pt_350-gsm-coated-silk_cl_4-4_ver', 1.45, 12),
  cards('cards_pf_5r_pt_350-gsm-coated-silk_cl_4-4_hor', 1.45, 12),
  cards('cards_pf_5r_pt_100-lb-cover-coated-silk_cl_4-4_hor', 1.4, 11),
  cards('cards_pf_bx_pt_110-lb-cover-uncoated_cl_4-4_hor', 0.4, 3),
  photoBook('photobooks-softcover_pf_210x210-mm-8x8-inch_pt_170-gsm-coated-silk_cl_4-4_bt_glued-left', 8.3, 260),
  photoBook('photobooks-softcover_pf_200x280-mm-8x11-inch_pt_170-gsm-coated-silk_cl_4-4_bt_glued-left', 9.9, 340),
  photoBook(
    'photobooks-hardcover_pf_210x210-mm-8x8-inch_pt_170-gsm-coated-silk_cl_4-4_ccl_4-4_bt_glued-left',
    14.6,
    520,
  ),
  {
    ...FLAT,
    productUid: 'phonecase_apple_iphone-13promax_flexi_transparent_satin',
    productName: 'Phone Case',
    price: 7.9,
    weightGrams: 40,
    madeIn: PHONE_CASES,
    madeApart: true,
  },
  {
    ...FLAT,
    productUid: 'blank-envelopes_pf_a7-env_pt_120-g-env',
    productName: 'Blank Envelope',
    price: 0.2,
    weightGrams: 6,
    madeIn: CARDS,
    printable: false,
  },
];

const byUid = new Map(products.map((product) => [product.productUid, product]));

/** The product with this uid, if the catalogue has it. */
export function findProduct(productUid: string): Product | undefined {
  return byUid.get(productUid);
}
