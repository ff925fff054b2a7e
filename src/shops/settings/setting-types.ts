import { z } from 'zod';
import { HTTPS_PORT, checkFileUrl } from '../../print/files/check-file-url.ts';
import { isWithin } from '../../print/lengths.ts';

// Building blocks for settings, with messages that describe the allowed values.

/** A switch, entered as a boolean or as `on` or `off`. The pipe declares the type of the result for the OpenAPI document. */
export const flag = z.union(
  [
    z.boolean(),
    z
      .enum(['on', 'off'])
      .transform((value) => value === 'on')
      .pipe(z.boolean()),
  ],
  'must be on or off',
);

export const PLAIN = 'must not contain control characters';

/**
 * Returns whether a text is plain. PostgreSQL rejects NUL, the print service rejects control characters, and a lone surrogate is not
 * valid text.
 */
export function isPlain(value: string | undefined): boolean {
  return value === undefined || /^[^\p{Cc}\p{Cs}]*$/u.test(value);
}

export function wholeNumber(minimum: number, maximum: number) {
  const message = `must be a whole number from ${minimum} to ${maximum}`;
  return z.int(message).min(minimum, message).max(maximum, message);
}

/** Accepts a text of 1 to `longest` characters without leading or trailing spaces. */
export function plainText(longest: number) {
  return z
    .string('must be text')
    .trim()
    .refine((word) => word !== '', 'must not be empty')
    .refine((word) => isWithin(word, longest), `must be at most ${longest} characters`)
    .refine(isPlain, PLAIN);
}

const AMOUNT = 'must be an amount such as 12.50';

/** An amount of money as decimal text, such as 12.50, never as a float. */
export const decimal = z
  .union([z.string(), z.number().transform(String).pipe(z.string())], AMOUNT)
  .refine((value) => /^\d{1,9}(?:\.\d{1,4})?$/.test(value), AMOUNT);

/** Accepts an object with exactly these fields. The setting's description includes an example. */
export function fields<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  const names = Object.keys(shape).join(', ');
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `has no field ${issue.keys.join(', ')}; its fields are ${names}`
        : `must be an object with the fields ${names}`,
  });
}

const MAX_URL_LENGTH = 2048;
const HTTPS_URL =
  'must be an address that everyone can open, such as https://cdn.example.com/logo.png: with https, without spaces, a port or a password';

/** An address on the internet, with the same rules as a print file's address. */
export function publicUrl(message: string) {
  return plainText(MAX_URL_LENGTH).refine(isPublicUrl, message);
}

/** The address of a file on the internet. */
export const httpsUrl = publicUrl(HTTPS_URL);

function isPublicUrl(text: string): boolean {
  // `URL` also accepts forms such as `https:files.example`, which only some programs accept.
  const url = /^https:\/\/[^\s/?#\\]+(?:[/?#][^\s\\]*)?$/i.test(text) ? URL.parse(text) : null;
  return url !== null && `${url.username}${url.password}` === '' && checkFileUrl(url, HTTPS_PORT) === null;
}
