import type { Clock } from '../../src/clock.ts';

/** Returns the same app with another time of day. */
export function atTime<Given extends { clock: Clock }>(app: Given, now: () => Date): Given {
  return { ...app, clock: { ...app.clock, now } };
}
