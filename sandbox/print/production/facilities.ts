/** A production facility. */
export interface Facility {
  id: string;
  country: string;
  stateProvince: string | null;
}

/** The facilities in fallback order, at most one per country. */
const facilities: readonly Facility[] = [
  { id: '1342be08-6169-4163-95be-8ddabfc6e6c5', country: 'US', stateProvince: 'NY' },
  { id: '21315db8-e694-4ded-a72a-98f60814c6e8', country: 'GB', stateProvince: null },
  { id: '5c0c8f0e-6f0c-4ab8-8a0c-0e6c4a0f7d11', country: 'DE', stateProvince: null },
  { id: '7c2c1a55-2d87-4f0b-9d46-3a1f2f3c9b22', country: 'NL', stateProvince: null },
  { id: '8f4bd9b1-30f1-4d3c-8a75-91f0f1a7ce33', country: 'NO', stateProvince: null },
  { id: '9a61e6a4-51d0-4c44-b2f9-64b1c7b5ad44', country: 'CA', stateProvince: 'ON' },
  { id: 'a7d3c3f2-74be-4b5e-9f1c-50f7ad2d8e55', country: 'AU', stateProvince: 'VIC' },
  { id: 'b8e0f4d7-95ac-4fd8-8c1d-2b9a3e6c4f66', country: 'JP', stateProvince: null },
  { id: '940fec84-54bc-44fc-a8a3-7d6f02cf8f14', country: 'BR', stateProvince: 'SP' },
];

const REGIONS: Readonly<Record<string, string>> = {
  'North America': 'US CA MX',
  'South America': 'BR AR CL CO PE UY PY BO EC',
  Europe:
    'GB IE DE AT CH LI LU NL BE FR MC ES PT IT SM VA MT GR CY NO SE DK FI IS EE LV LT PL CZ SK HU SI HR RO BG AL BA ME MK RS UA MD FO AX GI TR',
  Asia: 'JP KR CN TW HK MO SG MY TH VN PH ID IN',
  Oceania: 'AU NZ FJ PG NC PF',
};

const regionOf = new Map(
  Object.entries(REGIONS).flatMap(([region, countries]) => countries.split(' ').map((country) => [country, region])),
);

/** Returns whether two countries are in the same region. */
export function areInSameRegion(one: string, other: string): boolean {
  return regionOf.has(one) && regionOf.get(one) === regionOf.get(other);
}

/** Countries that the service does not ship to. */
const UNSUPPORTED = new Set(['AQ', 'BV', 'CU', 'HM', 'IR', 'KP', 'SY', 'TF']);
const countryNames = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
const NON_COUNTRY_CODES = new Set(['EU', 'EZ', 'QO', 'UN', 'UK', 'XA', 'XB', 'ZZ']);

/** Returns whether the service ships to this ISO 3166-1 alpha-2 country. */
export function isSupportedCountry(country: string): boolean {
  return countryNames.of(country) !== undefined && !NON_COUNTRY_CODES.has(country) && !UNSUPPORTED.has(country);
}

/** Returns all facilities: first those in the recipient's country, then those in its region, then the rest. */
export function listFacilitiesFor(country: string): Facility[] {
  const rank = (facility: Facility) => {
    if (facility.country === country) return 0;
    return areInSameRegion(facility.country, country) ? 1 : 2;
  };
  return facilities.toSorted((one, other) => rank(one) - rank(other));
}
