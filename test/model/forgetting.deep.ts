import { expect, test } from 'vitest';
import { explore, STEPS } from './forgetting.ts';

test('a database that forgets prints, ships and mails everything once, or holds it, in every interleaving', () => {
  const { states, violation } = explore(null);
  expect(violation).toBeNull();
  expect(states).toBeGreaterThan(500_000);
});

test.each(STEPS)('without the step "%s" of the rebuild, something goes wrong', (step) => {
  expect(explore(step).violation).not.toBeNull();
});
