import { z } from 'zod';

// Zod's own `.min()` and `.max()` measure whatever has a `length`, an object too, and throw when that is an object itself: what others
// write is measured here, where a value of another type has failed already.

/** A text that is not empty. */
export const filled = z.string().check(({ value, issues }) => {
  if (value !== '') return;
  issues.push({ code: 'too_small', origin: 'string', minimum: 1, inclusive: true, input: value, continue: true });
});

/** A text of at most `maximum` characters (code points); of a longer one nothing more is read, by no pattern. */
export function capped(maximum: number, message?: string) {
  return z.string().check(({ value, issues }) => {
    if (isWithin(value, maximum)) return;
    const issue = { code: 'too_big', origin: 'string', maximum, inclusive: true, input: value } as const;
    issues.push({ ...issue, ...(message === undefined ? {} : { message }), continue: false });
  });
}

/** A list of at least `minimum` and at most `maximum` elements. */
export function listOf<Element extends z.ZodType>(element: Element, minimum: number, maximum = Infinity) {
  return z.array(element).check(({ value, issues }) => {
    const issue = { origin: 'array', inclusive: true, input: value, continue: true } as const;
    if (value.length < minimum) issues.push({ ...issue, code: 'too_small', minimum });
    if (value.length > maximum) issues.push({ ...issue, code: 'too_big', maximum });
  });
}

/** Whether a text has at most `maximum` characters, counted in code points, as a person counts them. */
export function isWithin(text: string, maximum: number): boolean {
  // A code point takes one or two UTF-16 units: only a text between the two bounds has to be counted.
  return text.length <= maximum || (text.length <= 2 * maximum && Array.from(text).length <= maximum);
}
