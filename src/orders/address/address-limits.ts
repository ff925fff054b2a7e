/** Versions of the print service's order interface that take an address: the current one, and the two earlier ones. */
export type AddressVersion = 'current' | 'v2' | 'v1';

/** What one version of the interface accepts in an address. Lengths are the most code points a field may have. */
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
  /** the interface names none: the longest address that mail allows (RFC 5321), also the cap before its pattern runs */
  email: number;
  /** countries without whose state an order is refused */
  stateRequired: readonly string[];
  /** whether the Brazilian tax ids are asked for */
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

// In Great Britain the earlier interface means the county.
const EARLIER_STATE_REQUIRED = ['AU', 'BR', 'CL', 'GB', 'IN', 'US'];

/** The limits per version (interface page, "Request address objects", "Earlier interface v1" and "v2"). */
export const ADDRESS_LIMITS: Readonly<Record<AddressVersion, AddressLimits>> = {
  current: { ...LENGTHS, stateRequired: ['AU', 'CA', 'US'], taxIds: true },
  v2: { ...LENGTHS, stateRequired: EARLIER_STATE_REQUIRED, taxIds: false },
  v1: { ...LENGTHS, companyName: null, stateRequired: EARLIER_STATE_REQUIRED, taxIds: false },
};
