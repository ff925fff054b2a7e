import fc from 'fast-check';
import { expect, test } from 'vitest';
import { truncateText } from '../src/truncate-text.ts';

test('a text that is too long for the service, the store or a log line never ends with half a character', () => {
  const anyText = fc.string({ unit: fc.constantFrom('a', 'é', '🎈', '𝒳', '\ud83c', '\udf88'), maxLength: 12 });
  fc.assert(
    fc.property(anyText, fc.nat({ max: 12 }), (text, longest) => {
      const short = truncateText(text, longest);
      expect(short.length).toBeLessThanOrEqual(longest);
      expect(short.isWellFormed()).toBe(true);
      // Only a character that does not fit is left out.
      const whole = text.toWellFormed();
      if (whole === text) expect(whole.startsWith(short)).toBe(true);
      if (whole.length > longest) expect(short.length).toBeGreaterThanOrEqual(longest - 1);
      else expect(short).toBe(whole);
    }),
  );
  expect(truncateText(null, 3)).toBeNull();
});
