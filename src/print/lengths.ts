import { z } from 'zod';

// Zod's `.min()` and `.max()` measure anything that has a `length`, including objects, and throw if the `length` itself is an object. The
// functions in this file check the type before they measure, so they are safe for external input.

/** A string that is not empty. */
export const filled = z.string().check(({ value, issues }) => {
  if (value !== '') return;
  issues.push({ code: 'too_small', origin: 'string', minimum: 1, inclusive: true, input: value, continue: true });
});

/** A string of at most `maximum` characters (code points). A longer string is not matched against a pattern. */
export function stringUpTo(maximum: number, message?: string) {
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

/** Returns whether a string has at most `maximum` characters, counted in code points. */
export function isWithin(text: string, maximum: number): boolean {
  // A code point is one or two UTF-16 units. Code points are counted only if the number of units does not already decide.
  return text.length <= maximum || (text.length <= 2 * maximum && Array.from(text).length <= maximum);
}
