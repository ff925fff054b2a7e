import { z } from 'zod';

// Zod's `.min()` and `.max()` measure anything with a `length`, including objects, and throw if that is itself an object. Input from
// outside is measured here, after its type was checked.

/** A text that is not empty. */
export const filled = z.string().check(({ value, issues }) => {
  if (value !== '') return;
  issues.push({ code: 'too_small', origin: 'string', minimum: 1, inclusive: true, input: value, continue: true });
});

/** A text of at most `maximum` characters (code points). No pattern is applied to a longer one. */
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

/** Whether a text has at most `maximum` characters, counted in code points. */
export function isWithin(text: string, maximum: number): boolean {
  // A code point takes one or two UTF-16 units, so only texts between the two bounds have to be counted.
  return text.length <= maximum || (text.length <= 2 * maximum && Array.from(text).length <= maximum);
}
