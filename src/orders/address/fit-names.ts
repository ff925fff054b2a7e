import { type AddressChange, recordChange } from './address-change.ts';
import type { AddressLimits } from '../../print/traits.ts';
import { type HoldResult, holdMissing, holdTooLong } from './address-hold.ts';
import { cleanText, textLength } from './clean-text.ts';

/** The first and last name to send. */
interface FittedNames {
  firstName: string;
  lastName: string;
}

/** An address's names in the store. */
interface GivenNames {
  firstName: string | null;
  lastName: string | null;
  company: string | null;
}

/**
 * Fits the two names that the print interface requires. If the last name is missing, the first name's last word becomes the last name,
 * and a single word is used for both. If the first name is missing, the last name is used for both. If both are missing, the company is
 * used. In a first name over the limit, every word except the first becomes an initial. A last name is never shortened. Holds an order
 * whose names still do not fit.
 */
export function fitNames(given: GivenNames, limits: AddressLimits, changes: AddressChange[]): FittedNames | HoldResult {
  const named = chooseNames(cleanText(given.firstName), cleanText(given.lastName), cleanText(given.company));
  if (named === null) return holdMissing('firstName');
  const { firstName, lastName, why } = named;
  const shortened = textLength(firstName) > limits.firstName ? toInitials(firstName) : firstName;
  if (textLength(lastName) > limits.lastName) return holdTooLong('lastName', textLength(lastName), limits.lastName);
  if (textLength(shortened) > limits.firstName)
    return holdTooLong('firstName', textLength(firstName), limits.firstName);
  const initials = `further words as initials, at most ${limits.firstName} characters`;
  const reasons = shortened === firstName ? [why] : [why, initials];
  recordChange(changes, 'firstName', given.firstName, shortened, reasons.filter(Boolean).join('; '));
  recordChange(changes, 'lastName', given.lastName, lastName, why);
  return { firstName: shortened, lastName };
}

function chooseNames(firstName: string, lastName: string, company: string): (FittedNames & { why: string }) | null {
  if (firstName !== '' && lastName !== '') return { firstName, lastName, why: '' };
  if (lastName !== '') return { firstName: lastName, lastName, why: 'no first name: the last name is used' };
  if (firstName !== '') return { ...splitName(firstName), why: 'no last name: taken from the first name' };
  return company === '' ? null : { ...splitName(company), why: 'no name: the company is used' };
}

function splitName(name: string): FittedNames {
  const at = name.lastIndexOf(' ');
  return at < 0 ? { firstName: name, lastName: name } : { firstName: name.slice(0, at), lastName: name.slice(at + 1) };
}

function toInitials(firstName: string): string {
  const [first = '', ...others] = firstName.split(' ');
  return [first, ...others.map(initialOf)].join(' ');
}

function initialOf(word: string): string {
  return (/\p{L}\p{M}*/u.exec(word) ?? /./u.exec(word))?.[0] ?? '';
}
