import { type AddressChange, recordChange } from './address-change.ts';
import { abbreviateUntil } from './address-abbreviations.ts';
import { type HoldResult, holdMissing, holdTooLong } from './address-hold.ts';
import { cleanText, textLength } from './clean-text.ts';

/** The address lines to send. An empty line 2 is omitted. */
interface FittedLines {
  addressLine1: string;
  addressLine2?: string;
}

/** An address as a list of words. `brokenAt` is the position of the store's line break, `joinedAt` the positions of the store's U+2060. */
interface AddressText {
  words: string[];
  brokenAt: number;
  joinedAt: ReadonlySet<number>;
}

type Lines = readonly [string, string];

/**
 * Fits an address into two lines of at most `limit` code points without losing a word. Lines that fit stay unchanged. Otherwise, the line
 * break moves to the nearest U+2060 (where the store joined parts), or else to the nearest space. If no break works, abbreviates words,
 * starting with the last. Never breaks a line at a hyphen. Holds an order whose address is empty or still does not fit.
 */
export function fitAddressLines(
  address1: string | null,
  address2: string | null,
  country: string,
  limit: number,
  changes: AddressChange[],
): FittedLines | HoldResult {
  const text = readText(address1, address2);
  if (text.words.length === 0) return holdMissing('addressLine1');
  const whole = breakIntoLines(text.words, text, limit);
  const shortened = whole
    ? { fitted: whole, abbreviated: 0 }
    : abbreviateUntil(text.words, country, (words) => breakIntoLines(words, text, limit));
  if (shortened === null) return holdLines(cleanText(address1), cleanText(address2), limit);
  const [addressLine1, addressLine2] = shortened.fitted;
  const isUnchanged = addressLine1 === cleanText(address1) && addressLine2 === cleanText(address2);
  const why = isUnchanged ? '' : describeLineChange(shortened.abbreviated, limit);
  recordChange(changes, 'addressLine1', address1, addressLine1, why);
  recordChange(changes, 'addressLine2', address2, addressLine2, why);
  return addressLine2 === '' ? { addressLine1 } : { addressLine1, addressLine2 };
}

function describeLineChange(abbreviated: number, limit: number): string {
  const broken = `rewrapped at a space, at most ${limit} characters per line`;
  return abbreviated === 0 ? broken : `${broken}; abbreviated words: ${abbreviated}`;
}

function readText(address1: string | null, address2: string | null): AddressText {
  const words: string[] = [];
  const joinedAt = new Set<number>();
  let brokenAt = 0;
  for (const line of [address1, address2]) {
    brokenAt = words.length;
    for (const part of (line ?? '').split('\u2060')) {
      joinedAt.add(words.length);
      words.push(...cleanText(part).split(' ').filter(Boolean));
    }
  }
  return { words, brokenAt, joinedAt };
}

function breakIntoLines(words: readonly string[], text: AddressText, limit: number): Lines | null {
  const one = words.join(' ');
  const length = textLength(one);
  if (length > 2 * limit + 1) return null;
  if (length <= limit && (text.brokenAt === 0 || text.brokenAt === words.length)) return [one, ''];
  const places = words.keys().filter((place) => place > 0 && fitsWithBreakAt(words, place, limit));
  const place = findNearestBreak(text, [...places]);
  return place === null ? null : [words.slice(0, place).join(' '), words.slice(place).join(' ')];
}

function fitsWithBreakAt(words: readonly string[], place: number, limit: number): boolean {
  return [words.slice(0, place), words.slice(place)].every((line) => textLength(line.join(' ')) <= limit);
}

function findNearestBreak({ brokenAt, joinedAt }: AddressText, places: number[]): number | null {
  if (places.includes(brokenAt)) return brokenAt;
  const joined = places.filter((place) => joinedAt.has(place));
  const choices = joined.length > 0 ? joined : places;
  return choices.toSorted((a, b) => Math.abs(a - brokenAt) - Math.abs(b - brokenAt))[0] ?? null;
}

function holdLines(line1: string, line2: string, limit: number): HoldResult {
  const [field, line] = textLength(line1) > limit ? ['addressLine1', line1] : ['addressLine2', line2];
  return holdTooLong(field ?? '', textLength(line ?? ''), limit);
}
