/** Versions of the print service's order interface: the current one and two earlier ones. */
export type AddressVersion = 'current' | 'v2' | 'v1';

/** What one version of the interface accepts in an address. Lengths are maximum code points. */
export interface AddressLimits {
  firstName: number;
  lastName: number;
  /** null: the version has no such field */
  companyName: number | null;
  addressLine: number;
  city: number;
  postCode: number;
  state: number;
  phone: number;
  /** the interface sets no limit: the longest address that mail allows (RFC 5321), also checked before its pattern runs */
  email: number;
  /** countries in which orders without a state are refused */
  stateRequired: readonly string[];
  /** whether the Brazilian tax ids are requested */
  taxIds: boolean;
}

const LENGTHS = {
  firstName: 25,
  lastName: 25,
  companyName: 60,
  addressLine: 35,
  city: 30,
  postCode: 15,
  state: 35,
  phone: 25,
  email: 254,
};

// The earlier interfaces mean the county in Great Britain.
const EARLIER_STATE_REQUIRED = ['AU', 'BR', 'CL', 'GB', 'IN', 'US'];

/** The limits per version (docs/rules/addresses.md#limits). */
export const ADDRESS_LIMITS: Readonly<Record<AddressVersion, AddressLimits>> = {
  current: { ...LENGTHS, stateRequired: ['AU', 'CA', 'US'], taxIds: true },
  v2: { ...LENGTHS, stateRequired: EARLIER_STATE_REQUIRED, taxIds: false },
  v1: { ...LENGTHS, companyName: null, stateRequired: EARLIER_STATE_REQUIRED, taxIds: false },
};
