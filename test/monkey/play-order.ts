import { describeBooks } from './judge/describe-books.ts';
import { findFailedJobs } from './judge/find-failed-jobs.ts';
import { judgePrinting, judgeAtRest, type Finding } from './judge/judge.ts';
import { stopFaults } from './moves/fault-moves.ts';
import type { Play } from './plan-play.ts';
import { readBooks, type Books } from './judge/read-books.ts';
import { Refused, type Scene } from './scene.ts';
import { advanceThroughJobs, passTime, NeverIdleError } from './settle.ts';
import { shipAll } from './moves/ship-all.ts';
import { openStage, placeOrder } from './stage.ts';
import type { Step } from './moves/step.ts';

/** The result of a play. */
export interface Outcome {
  findings: Finding[];
  /** The steps and their results, one per line. */
  story: string[];
}

/** The time between two steps. It is long enough that every reading of the store has ended before the next change. */
const STEP_SECONDS = 40;
const HOUR = 3_600;
const DAY = 24 * HOUR;

/**
 * Plays an order on a separate Platen. Each step waits for all effects of the previous one. The books are judged after each step, after the
 * last step once nothing is in progress, and once every print order has shipped. `only` has the numbers of the steps to play, starting from
 * 1, or is null for all steps.
 */
export async function playOrder(
  play: Play,
  { only = null, serverUrl }: { only?: readonly number[] | null; serverUrl?: string | undefined } = {},
): Promise<Outcome> {
  const outcome: Outcome = { findings: [], story: [] };
  const stage = await openStage(play.way, { atMerchant: play.atMerchant, serverUrl });
  try {
    await playOn(await placeOrder(stage, play), play, only, outcome);
  } catch (error) {
    const rule = error instanceof NeverIdleError ? 'restless' : 'error';
    outcome.findings.push({ rule, evidence: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  } finally {
    await stage.close();
  }
  return outcome;
}

async function playOn(
  scene: Scene,
  { steps }: Play,
  only: readonly number[] | null,
  { story, findings }: Outcome,
): Promise<void> {
  const history: Books[] = [];
  async function look(): Promise<Books> {
    const books = await readBooks(scene);
    findings.push(...judgePrinting(history, books, scene.ledger));
    history.push(books);
    story.push(`     ${describeBooks(books)}`);
    return books;
  }
  async function rest(words: string, ...seconds: number[]): Promise<void> {
    story.push(words);
    await passTime(scene, ...seconds);
    const books = await look();
    findings.push(...judgeAtRest(books, scene.ledger), ...(await findFailedJobs(scene.platen)));
  }
  await advanceThroughJobs(scene, STEP_SECONDS);
  await look();
  for (const [index, step] of steps.entries()) {
    if (only !== null && !only.includes(index + 1)) continue;
    const { words, isDone } = await take(scene, step);
    story.push(`${String(index + 1).padStart(3)}. ${words}`);
    if (!isDone) continue;
    await advanceThroughJobs(scene, STEP_SECONDS);
    await look();
    if (findings.length > 0) return;
  }
  await stopFaults(scene);
  await rest('Every call gets a response again, and four days pass.', 120, HOUR, HOUR, DAY, DAY, 2 * DAY);
  if (findings.length > 0) return;
  await shipAll(scene);
  await rest('The print service ships all its orders, and five days pass.', 120, HOUR, DAY, 2 * DAY, 2 * DAY);
}

/** Performs a step if it is possible. Returns the description of the step with its result. */
export async function take(scene: Scene, { words, act }: Step): Promise<{ words: string; isDone: boolean }> {
  try {
    const result = await act(scene);
    return { words: result ? `${words} (${result})` : words, isDone: true };
  } catch (error) {
    if (error instanceof Refused) return { words: `${words} (refused: ${error.message})`, isDone: false };
    throw error;
  }
}
