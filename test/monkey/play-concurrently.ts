import { setTimeout as delay } from 'node:timers/promises';
import { createChaosRandom } from '../chaos/orders/random.ts';
import { describeBooks } from './judge/describe-books.ts';
import { findFailedJobs } from './judge/find-failed-jobs.ts';
import { judgeAtRest, judgeTotal } from './judge/judge.ts';
import { stopFaults } from './moves/fault-moves.ts';
import type { Play } from './plan-play.ts';
import { take, type Outcome } from './play-order.ts';
import { readBooks } from './judge/read-books.ts';
import type { Scene } from './scene.ts';
import { passTime, NeverIdleError } from './settle.ts';
import { shipAll } from './moves/ship-all.ts';
import { openStage, placeOrder } from './stage.ts';

const MAX_GAP_MS = 250;
const HOUR = 3_600;
const DAY = 24 * HOUR;

/**
 * Plays several orders simultaneously in one shop, which is set up for the first play. No step waits for the effects of another step, and a
 * fault affects all orders. The seed determines the steps, but not their timing. The books are judged once nothing is in progress, and
 * again once every print order has shipped.
 */
export async function playConcurrently(
  plays: readonly Play[],
  { seed, serverUrl }: { seed: number; serverUrl?: string | undefined },
): Promise<Outcome> {
  const outcome: Outcome = { findings: [], story: [] };
  const [first] = plays;
  if (!first) return outcome;
  const stage = await openStage(first.way, { atMerchant: first.atMerchant, serverUrl });
  try {
    const scenes = await Promise.all(
      plays.map(async (play, index) => {
        const random = createChaosRandom(seed).fork(`gaps ${index}`);
        const scene = await placeOrder(stage, play, { overlaps: true });
        for (const step of play.steps) {
          await delay(random.below(MAX_GAP_MS));
          const { words } = await take(scene, step);
          outcome.story.push(`  ${scene.order.name}: ${words}`);
        }
        return scene;
      }),
    );
    const [any] = scenes;
    if (!any) return outcome;
    await stopFaults(any);
    await rest(scenes, outcome, 120, HOUR, HOUR, DAY, DAY, 2 * DAY);
    if (outcome.findings.length > 0) return outcome;
    for (const scene of scenes) await shipAll(scene);
    await rest(scenes, outcome, 120, HOUR, DAY, 2 * DAY, 2 * DAY);
  } catch (error) {
    const rule = error instanceof NeverIdleError ? 'restless' : 'error';
    outcome.findings.push({ rule, evidence: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  } finally {
    await stage.close();
  }
  return outcome;
}

async function rest(scenes: readonly Scene[], { findings, story }: Outcome, ...seconds: number[]): Promise<void> {
  const [any] = scenes;
  if (!any) return;
  await passTime(any, ...seconds);
  for (const scene of scenes) {
    const books = await readBooks(scene);
    const found = [...judgeTotal(books, scene.ledger), ...judgeAtRest(books, scene.ledger)];
    if (found.length > 0) story.push(`  ${scene.order.name}: ${describeBooks(books)}`);
    findings.push(...found.map(({ rule, evidence }) => ({ rule, evidence: `${scene.order.name} ${evidence}` })));
  }
  findings.push(...(await findFailedJobs(any.platen)));
}
