import { ADDRESS_LENGTHS, type InterfaceTraits } from '../traits.ts';

const addressLimits = {
  ...ADDRESS_LENGTHS,
  // In Great Britain, the state is the county.
  stateRequired: ['AU', 'BR', 'CL', 'GB', 'IN', 'US'],
  taxIds: false,
};

export const v2Traits: InterfaceTraits = {
  hasIntegerReferences: false,
  acceptsOnlyOneProduct: false,
  supportsEnvelopes: true,
  canCancelWithoutExtendedCalls: false,
  unusedReference: 'platen-key-check',
  addressLimits,
};

export const v1Traits: InterfaceTraits = {
  hasIntegerReferences: true,
  acceptsOnlyOneProduct: true,
  supportsEnvelopes: false,
  canCancelWithoutExtendedCalls: true,
  // References start at 1.
  unusedReference: '0',
  addressLimits: { ...addressLimits, companyName: null },
};
