import { z } from 'zod';
import { isWithin } from '../../print/lengths.ts';

// What settings are made of, with the words that say what each may be.

export const flag = z.union(
  [z.boolean(), z.enum(['on', 'off']).transform((value) => value === 'on')],
  'must be on or off',
);

export const PLAIN = 'must not contain control characters';

/** PostgreSQL takes no NUL, and the print service no control character; a lone surrogate is no text. */
export function isPlain(value: string | undefined): boolean {
  return value === undefined || /^[^\p{Cc}\p{Cs}]*$/u.test(value);
}

export function wholeNumber(minimum: number, maximum: number) {
  const message = `must be a whole number from ${minimum} to ${maximum}`;
  return z.int(message).min(minimum, message).max(maximum, message);
}

/** A text of 1 to `longest` characters, without spaces around it. */
export function plainText(longest: number) {
  return z
    .string('must be a text')
    .trim()
    .refine((word) => word !== '', 'must not be empty')
    .refine((word) => isWithin(word, longest), `must be at most ${longest} characters`)
    .refine(isPlain, PLAIN);
}

const AMOUNT = 'must be an amount such as 12.50';

/** An amount of money as a decimal text, such as 12.50: never a float. */
export const decimal = z
  .union([z.string(), z.number().transform(String)], AMOUNT)
  .refine((value) => /^\d{1,9}(?:\.\d{1,4})?$/.test(value), AMOUNT);

/** An object of these fields and no others; the setting's description has an example. */
export function fields<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  const names = Object.keys(shape).join(', ');
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `has no field ${issue.keys.join(', ')}, the fields are ${names}`
        : `must be an object with ${names}`,
  });
}
