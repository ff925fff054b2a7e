/** The regions with separate stock. `ROW` is the rest of the world. */
export const STOCK_REGIONS = ['US-CA', 'EU', 'UK', 'OC', 'AS', 'SA', 'ROW'] as const;
export type StockRegion = (typeof STOCK_REGIONS)[number];

const COUNTRIES: Readonly<Record<string, StockRegion>> = {
  'US CA': 'US-CA',
  'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK NO CH IS LI': 'EU',
  'GB GG IM JE': 'UK',
  'AU NZ FJ PG NC PF': 'OC',
  'JP KR CN TW HK MO SG MY TH VN PH ID IN': 'AS',
  'BR AR CL CO PE UY PY BO EC': 'SA',
};

const regionOf = new Map(
  Object.entries(COUNTRIES).flatMap(([countries, region]) => countries.split(' ').map((country) => [country, region])),
);

/** Returns whether a country (alpha-2) belongs to a stock region. */
export function isInStockRegion(country: string, region: StockRegion): boolean {
  return (regionOf.get(country) ?? 'ROW') === region;
}
