/** A size or weight (docs/rules/print-interface.md#measure). */
export interface Measure {
  value: number;
  measureUnit: string;
}

/** A product of the stand-in's catalogs. */
export interface Product {
  productUid: string;
  productName: string;
  /** Attribute uid to attribute value uid. */
  attributes: Readonly<Record<string, string>>;
  /** For one piece, in USD. */
  price: number;
  /** For each page of one piece, in USD, beside `price`. */
  pricePerPage: number;
  /** For one piece. */
  weightGrams: number;
  dimensions: Readonly<Record<string, Measure>>;
  /** Countries of the facilities that make it. */
  madeIn: readonly string[];
  /** Where it is sent to. */
  supportedCountries: readonly string[];
  /** Needs a print file. */
  printable: boolean;
  /** Needs a page count. */
  multiPage: boolean;
  /** Quoted with the rest of an order, but made apart from it: its order comes back as connected parts. */
  madeApart: boolean;
  /** Made of what is always there: it has no stock to run out of. */
  madeOnDemand: boolean;
}

/** What most products are: printed flat, in one piece, from what is stocked. */
export const FLAT = {
  pricePerPage: 0,
  printable: true,
  multiPage: false,
  madeApart: false,
  madeOnDemand: false,
} as const;

/** Width, height and thickness in millimetres. */
export function inMillimetres(Width: number, Height: number, Thickness: number): Product['dimensions'] {
  const toMeasure = (value: number): Measure => ({ value, measureUnit: 'mm' });
  return { Width: toMeasure(Width), Height: toMeasure(Height), Thickness: toMeasure(Thickness) };
}

/** A price or weight after a calculation, to two digits. */
export function toHundredths(value: number): number {
  return Number(value.toFixed(2));
}

/** The keys of a table of literals, as what they are. */
export function keysOf<Key extends string>(table: Readonly<Record<Key, unknown>>): Key[] {
  return Object.keys(table) as Key[];
}
