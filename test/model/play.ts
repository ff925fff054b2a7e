import fc from 'fast-check';
import { check, readRunStatus, type Seen, type RunStatus } from './check.ts';
import { Run } from './run.ts';
import { arbitrarySteps, plan, take, type Kind, type Step } from './steps.ts';
import type { Way, World } from './world.ts';

/**
 * The longest search lag and the longest delay of an effect in direct mode and in runs with a restore. In these cases, the protocol
 * requires all effects to be visible within the quiet time (120 s).
 */
const BOUNDED = { lagMs: 10_000, lateSeconds: 90 };
/** The maximum number of rounds that an order may need to reach its final state once the faults stop. */
const MAX_ROUNDS = 80;
/** The maximum number of calls that may get a response before time must pass again. */
const MAX_CALLS = 200;
const MAX_WAIT_SECONDS = 3600;

/** The events of a run. */
interface Plot {
  isTimely: boolean;
  steps: readonly Step[];
}

interface Played {
  holds: string[];
  /** The number of live orders at the service at the end of the run. This number shows that the runs print something. */
  live: number;
}

/**
 * Plays a run to its end and checks the invariants after each step. At the end, nothing may be in progress. If `isTimely` is true, the
 * service's delays are bounded. In direct mode and in runs with a restore, they always are.
 */
export async function play(world: World, way: Way, { isTimely, steps }: Plot): Promise<Played> {
  await world.begin(way);
  const run = new Run(world, way);
  const isBounded = isTimely || way !== 'draft' || steps.some((step) => step.do === 'restore');
  run.lagMs = isBounded ? BOUNDED.lagMs : Infinity;
  const seen: Seen = { chosen: new Map() };
  // The first backup is made before the plan.
  if (steps.some((step) => step.do === 'restore')) await world.save();
  await run.startDue();
  for (const step of steps) {
    const before = run.story.length;
    await take(run, step, isBounded ? BOUNDED.lateSeconds : Infinity);
    if (step.do === 'restore') seen.chosen.clear();
    await run.startDue();
    if (run.story.length > before) await check(run, seen);
  }
  const { holds, everHeld } = await stopFaults(run, seen, isBounded);
  checkHolds(run, everHeld);
  return { holds, live: run.service.live().length - 1 };
}

/** Ends all faults: responds to every call, makes the search show every change and runs the polls until nothing is in progress. */
async function stopFaults(run: Run, seen: Seen, isSwept: boolean): Promise<RunStatus> {
  run.say('the faults stop');
  run.lagMs = 0;
  run.service.queueMs = 0;
  run.service.isBlind = false;
  run.service.runLate(Infinity);
  for (let round = 0; ; round += 1) {
    await answerAll(run);
    await check(run, seen);
    // The polls run in the first round and then every ten rounds as long as anything is in progress.
    if (round % 10 === 0) {
      await plan(run);
      await run.poll('catch_up_uncertain');
      await run.poll('catch_up_print_orders');
      continue;
    }
    const standing = await readRunStatus(run, isSwept);
    if (standing.moving === null) return standing;
    if (round > MAX_ROUNDS) run.fail(`the order does not reach a final state: ${standing.moving}`);
    await run.advance(Math.min(Math.max(1, (await run.nextJobIn()) ?? 60), MAX_WAIT_SECONDS));
  }
}

async function answerAll(run: Run): Promise<void> {
  for (let calls = 0; calls < MAX_CALLS; calls += 1) {
    run.service.catchUpIndex(0);
    await run.startDue();
    const [worker] = run.waiting();
    if (!worker) return;
    await run.end(worker, 'now', 'answered', 0);
  }
  run.fail('the calls to the service do not end');
}

/**
 * Checks that faults alone cause no hold in draft mode, and in direct mode only holds for an unknown outcome. Only a change to the order or
 * a restore of the database may cause other holds.
 */
function checkHolds(run: Run, holds: readonly string[]): void {
  if (holds.length === 0 || run.causes.size > 0) return;
  if (run.way === 'draft') run.fail(`held unnecessarily: ${holds.join(', ')}`);
  const others = holds.filter((code) => code !== 'outcome_unknown');
  if (others.length > 0) run.fail(`held unnecessarily: ${others.join(', ')}`);
}

/** Generates plots of up to `maxLength` steps. */
function arbitraryPlot(way: Way, kind: Kind, maxLength: number): fc.Arbitrary<Plot> {
  return fc.record({ isTimely: fc.boolean(), steps: arbitrarySteps(way, kind, maxLength) }, { noNullPrototype: true });
}

/** The time limit for the runs, including the shrinking of a failing run. */
const MAX_MS = 240_000;

interface PropertyOptions {
  way: Way;
  kind: Kind;
  steps: number;
  runs: number;
  seed: number;
}

/** Plays `runs` runs. Shrinks a failing run to a few steps and reports these steps. */
export async function playMany(world: () => World, { way, kind, steps, runs, seed }: PropertyOptions): Promise<void> {
  await fc.assert(
    fc.asyncProperty(arbitraryPlot(way, kind, steps), async (plot) => void (await play(world(), way, plot))),
    { numRuns: runs, seed, interruptAfterTimeLimit: MAX_MS, markInterruptAsFailure: false },
  );
}
