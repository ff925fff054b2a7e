import { setImmediate } from 'node:timers/promises';

/** How long work may hold the event loop before other work runs. */
const SLICE_MS = 10;

/** Divides long work into slices. The work calls the returned function after each small step, and other work runs between two slices. */
export function openSlices(): () => Promise<void> {
  let begun = performance.now();
  return async () => {
    if (performance.now() - begun < SLICE_MS) return;
    await setImmediate();
    begun = performance.now();
  };
}
