/** A size or weight (docs/rules/print-interface.md#measure). */
export interface Measure {
  value: number;
  measureUnit: string;
}

/** A product in the stand-in's catalogs. */
export interface Product {
  productUid: string;
  productName: string;
  /** The uid of each attribute's value, keyed by attribute uid. */
  attributes: Readonly<Record<string, string>>;
  /** Price of one piece, in USD. */
  price: number;
  /** Price of each page of one piece, in USD, in addition to `price`. */
  pricePerPage: number;
  /** Weight of one piece. */
  weightGrams: number;
  dimensions: Readonly<Record<string, Measure>>;
  /** The countries of the facilities that make the product. */
  madeIn: readonly string[];
  /** The countries to which the product ships. */
  supportedCountries: readonly string[];
  /** Whether the product needs a print file. */
  printable: boolean;
  /** Whether the product needs a page count. */
  multiPage: boolean;
  /**
   * Whether the product is quoted together with the other items of an order but produced separately. The order is then split into connected
   * parts.
   */
  producedSeparately: boolean;
  /** Whether the product is made on demand and never runs out of stock. */
  madeOnDemand: boolean;
}

/** The properties that most products share: they are flat, made in one piece and delivered from stock. */
export const FLAT = {
  pricePerPage: 0,
  printable: true,
  multiPage: false,
  producedSeparately: false,
  madeOnDemand: false,
} as const;

/** Returns a product's width, height and thickness in millimeters. */
export function toDimensions(Width: number, Height: number, Thickness: number): Product['dimensions'] {
  const toMeasure = (value: number): Measure => ({ value, measureUnit: 'mm' });
  return { Width: toMeasure(Width), Height: toMeasure(Height), Thickness: toMeasure(Thickness) };
}

/** Rounds a calculated price or weight to two decimals. */
export function toHundredths(value: number): number {
  return Number(value.toFixed(2));
}

/** Returns the keys of a table, with their literal types. */
export function keysOf<Key extends string>(table: Readonly<Record<Key, unknown>>): Key[] {
  return Object.keys(table) as Key[];
}
