import { foldText } from './clean-text.ts';

// Codes and names as the store and the countries' postal services spell them.
const PROVINCES: Readonly<Record<string, string>> = {
  AU: `ACT Australian Capital Territory; NSW New South Wales; NT Northern Territory; QLD Queensland; SA South Australia;
    TAS Tasmania; VIC Victoria; WA Western Australia`,
  CA: `AB Alberta; BC British Columbia; MB Manitoba; NB New Brunswick; NL Newfoundland and Labrador; NL Newfoundland;
    NS Nova Scotia; NT Northwest Territories; NU Nunavut; ON Ontario; PE Prince Edward Island; QC Quebec;
    SK Saskatchewan; YT Yukon; YT Yukon Territory`,
  US: `AL Alabama; AK Alaska; AZ Arizona; AR Arkansas; CA California; CO Colorado; CT Connecticut; DE Delaware;
    DC District of Columbia; DC Washington DC; FL Florida; GA Georgia; HI Hawaii; ID Idaho; IL Illinois; IN Indiana;
    IA Iowa; KS Kansas; KY Kentucky; LA Louisiana; ME Maine; MD Maryland; MA Massachusetts; MI Michigan; MN Minnesota;
    MS Mississippi; MO Missouri; MT Montana; NE Nebraska; NV Nevada; NH New Hampshire; NJ New Jersey; NM New Mexico;
    NY New York; NC North Carolina; ND North Dakota; OH Ohio; OK Oklahoma; OR Oregon; PA Pennsylvania; RI Rhode Island;
    SC South Carolina; SD South Dakota; TN Tennessee; TX Texas; UT Utah; VT Vermont; VA Virginia; WA Washington;
    WV West Virginia; WI Wisconsin; WY Wyoming; AS American Samoa; FM Micronesia; FM Federated States of Micronesia;
    GU Guam; MH Marshall Islands; MP Northern Mariana Islands; PW Palau; PR Puerto Rico; VI Virgin Islands;
    VI U.S. Virgin Islands; AA Armed Forces Americas; AE Armed Forces Europe; AP Armed Forces Pacific`,
};

const CODES = new Map(
  Object.entries(PROVINCES).map(([country, list]) => [country, new Map(list.split(';').flatMap(listSpellings))]),
);

/**
 * Finds the code of a state or province in Australia, Canada or the United States by its code or full name. Ignores case, accents and
 * periods. Returns null for anything else.
 */
export function findProvinceCode(country: string, province: string): string | null {
  return CODES.get(country)?.get(toKey(province)) ?? null;
}

/** Returns whether this file lists the country's province codes. If so, any other code is a mistake. */
export function knowsProvinces(country: string): boolean {
  return CODES.has(country);
}

function listSpellings(entry: string): [string, string][] {
  const words = entry.trim().split(/\s+/);
  const code = words[0] ?? '';
  return [
    [toKey(code), code],
    [toKey(words.slice(1).join(' ')), code],
  ];
}

function toKey(province: string): string {
  return foldText(province).replaceAll('.', '');
}
