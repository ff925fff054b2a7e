import { ADDRESS_LENGTHS, type InterfaceTraits } from '../traits.ts';

export const currentTraits: InterfaceTraits = {
  hasIntegerReferences: false,
  acceptsOnlyOneProduct: false,
  supportsEnvelopes: false,
  canCancelWithoutExtendedCalls: false,
  // No order has this reference, because Platen's references start with `pl` and four characters that identify the installation.
  unusedReference: 'platen-key-check',
  addressLimits: { ...ADDRESS_LENGTHS, stateRequired: ['AU', 'CA', 'US'], taxIds: true },
};
