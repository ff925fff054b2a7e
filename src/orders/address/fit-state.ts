import { type AddressChange, recordChange } from './address-change.ts';
import type { AddressLimits } from '../../print/traits.ts';
import { type HoldResult, toHoldResult } from './address-hold.ts';
import { cleanText, textLength } from './clean-text.ts';
import { findProvinceCode, knowsProvinces } from './find-province-code.ts';

/** An address's state in the store, which Shopify calls the province. */
interface GivenState {
  provinceCode: string | null;
  province: string | null;
}

/**
 * Chooses the state to send, if any. For Australia, Canada and the United States, Platen sends the code of the state or province, and looks
 * up the code if the store has only a name. For other countries, Platen sends the given code or name if it fits. Holds the order if the
 * print interface requires a state for this country and the address has no valid one.
 */
export function fitState(
  given: GivenState,
  country: string,
  limits: AddressLimits,
  changes: AddressChange[],
): { state?: string } | HoldResult {
  const names = [cleanText(given.provinceCode), cleanText(given.province)].filter((name) => name !== '');
  const code = names.map((name) => findProvinceCode(country, name)).find((found) => found !== null);
  const fitting = names.find((name) => textLength(name) <= limits.state);
  const required = limits.stateRequired.includes(country);
  if (required && code === undefined && (fitting === undefined || knowsProvinces(country))) {
    const what = names.length === 0 ? 'the address has no state' : 'the state in the address is unknown';
    return toHoldResult(
      'address_missing_field',
      'state',
      `The print service requires a state in this country, but ${what}.`,
    );
  }
  const state = code ?? fitting ?? null;
  const why =
    state === null ? `left out: over ${limits.state} characters` : 'the code or name that the print service accepts';
  recordChange(changes, 'state', given.provinceCode || given.province, state, why);
  return state === null ? {} : { state };
}
