import type { Databases } from './databases.ts';
import { runSeed, type SeedOptions } from './run-seed.ts';
import type { SeedOutcome } from './story.ts';

/** The smallest number of planned events with which a seed fails. */
export interface Tried extends SeedOutcome {
  smallest: SeedOutcome | null;
}

/**
 * Runs a seed `runs` times and reports hashes that differ. If the seed fails, finds by bisection a prefix of its planned events that still
 * breaks one of the same rules, although no prefix that was tried with fewer events does.
 */
export async function trySeed(
  databases: Databases,
  options: SeedOptions,
  { shrinks, runs }: { shrinks: boolean; runs: number },
): Promise<Tried> {
  const outcome = await runSeed(databases, options);
  for (let run = 1; run < runs; run += 1) {
    const { hash } = await runSeed(databases, { ...options, write: () => undefined });
    if (hash === outcome.hash) continue;
    outcome.findings.push({ rule: 'not-replayed', evidence: `Run ${run + 1} has the hash ${hash}.` });
    return { ...outcome, smallest: null };
  }
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
