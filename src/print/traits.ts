/** What one interface accepts in an address. Lengths are maximum code points. */
export interface AddressLimits {
  firstName: number;
  lastName: number;
  /** null: the interface has no such field. */
  companyName: number | null;
  addressLine: number;
  city: number;
  postCode: number;
  state: number;
  phone: number;
  /** The interface sets no limit: the longest address that mail allows (RFC 5321), also checked before its pattern runs. */
  email: number;
  /** Countries in which orders without a state are refused. */
  stateRequired: readonly string[];
  /** Whether the Brazilian tax IDs are requested. */
  taxIds: boolean;
}

/** How the interfaces differ, for code that must not know them by name. */
export interface InterfaceTraits {
  /** References of orders and items must be integers, so two orders may get the same one. */
  hasIntegerReferences: boolean;
  /** An order contains a single product. */
  takesOneProduct: boolean;
  takesEnvelopes: boolean;
  /** Its cancel call needs no extended calls. */
  hasOwnCancel: boolean;
  /** A reference that no order has. */
  unusedReference: string;
  addressLimits: AddressLimits;
}

export const ADDRESS_LENGTHS = {
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
