/** The address fields that one interface accepts. Lengths are maximum numbers of code points. */
export interface AddressLimits {
  firstName: number;
  lastName: number;
  /** Null if the interface has no such field. */
  companyName: number | null;
  addressLine: number;
  city: number;
  postCode: number;
  state: number;
  phone: number;
  /** The interface sets no limit. This is the longest email address that RFC 5321 allows, and is checked before the pattern. */
  email: number;
  /** Countries in which the service rejects orders without a state. */
  stateRequired: readonly string[];
  /** Whether the interface has fields for Brazilian tax IDs. */
  taxIds: boolean;
}

/** The differences between the interfaces, for code that must not refer to an interface by name. */
export interface InterfaceTraits {
  /** Whether order and item references must be integers. Integer references are short, so two orders could get the same reference. */
  hasIntegerReferences: boolean;
  /** Whether an order can contain only one product. */
  acceptsOnlyOneProduct: boolean;
  supportsEnvelopes: boolean;
  /** Whether the interface can cancel orders without extended calls. */
  canCancelWithoutExtendedCalls: boolean;
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
