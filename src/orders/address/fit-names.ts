import { type AddressChange, noteChange } from './address-change.ts';
import type { AddressLimits } from '../../print/traits.ts';
import { type Held, holdMissing, holdTooLong } from './address-hold.ts';
import { cleanText, textLength } from './clean-text.ts';

/** First and last name to send. */
interface FittedNames {
  firstName: string;
  lastName: string;
}

/** The names of an address as the store gives them. */
interface GivenNames {
  firstName: string | null;
  lastName: string | null;
  company: string | null;
}

/**
 * Fits the names that the interface requires. A missing last name takes the last word of the first name, or repeats the only word; a
 * missing first name repeats the last; without any name the company is used. A first name over its limit keeps its first word and the
 * initials of the others; a last name is never shortened. Holds if the names still do not fit.
 */
export function fitNames(given: GivenNames, limits: AddressLimits, changes: AddressChange[]): FittedNames | Held {
  const named = nameBoth(cleanText(given.firstName), cleanText(given.lastName), cleanText(given.company));
  if (named === null) return holdMissing('firstName');
  const { firstName, lastName, why } = named;
  const shortened = textLength(firstName) > limits.firstName ? toInitials(firstName) : firstName;
  if (textLength(lastName) > limits.lastName) return holdTooLong('lastName', textLength(lastName), limits.lastName);
  if (textLength(shortened) > limits.firstName)
    return holdTooLong('firstName', textLength(firstName), limits.firstName);
  const initials = `further words as initials, at most ${limits.firstName} characters`;
  const reasons = shortened === firstName ? [why] : [why, initials];
  noteChange(changes, 'firstName', given.firstName, shortened, reasons.filter(Boolean).join('; '));
  noteChange(changes, 'lastName', given.lastName, lastName, why);
  return { firstName: shortened, lastName };
}

function nameBoth(firstName: string, lastName: string, company: string): (FittedNames & { why: string }) | null {
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
