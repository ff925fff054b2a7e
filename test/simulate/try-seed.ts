import type { Databases } from './databases.ts';
import { runSeed, type SeedOptions } from './run-seed.ts';
import type { SeedOutcome } from './story.ts';

/** The smallest number of planned events with which a seed fails. */
export interface Tried extends SeedOutcome {
  smallest: SeedOutcome | null;
}

/**
 * Runs a seed. If it fails, finds by bisection a prefix of its planned events that still breaks one of the same rules, although no prefix
 * that was tried with fewer events does.
 */
export async function trySeed(databases: Databases, options: SeedOptions, shrinks: boolean): Promise<Tried> {
  const outcome = await runSeed(databases, options);
  if (outcome.findings.length === 0 || !shrinks) return { ...outcome, smallest: null };
  const rules = new Set(outcome.findings.map(({ rule }) => rule));
  let smallest = outcome;
  let [low, high] = [0, outcome.events];
  while (low < high) {
    const limit = Math.floor((low + high) / 2);
    const tried = await runSeed(databases, { ...options, limit, write: () => undefined });
    if (tried.findings.some(({ rule }) => rules.has(rule))) {
      smallest = tried;
      high = limit;
    } else low = limit + 1;
  }
  return { ...outcome, smallest };
}
