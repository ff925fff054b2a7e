import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createChaosRandom } from '../chaos/orders/random.ts';
import type { Databases } from './databases.ts';
import { planSeed } from './plan-seed.ts';
import { Stage } from './stage.ts';
import { DAY, NeverIdleError, Story, type SeedOutcome } from './story.ts';
import { openWorld } from './world/world.ts';

export interface SeedOptions {
  seed: number;
  orders: number;
  /** Carries out only the first planned events, then lets everything settle. Null: all of them. */
  limit: number | null;
  /** Receives everything that happens. */
  write?: (line: string) => void;
}

/** Runs a seed on its own database. Its outcome depends only on the options and the code. */
export async function runSeed(databases: Databases, options: SeedOptions): Promise<SeedOutcome> {
  const { seed, orders } = options;
  const plan = planSeed(seed, orders);
  const outcome: SeedOutcome = { seed, findings: [], hash: '', steps: 0, days: 0, events: 0, story: [] };
  await using opened = new AsyncDisposableStack();
  const database = await databases.open();
  opened.defer(() => database.close());
  const home = await mkdtemp(join(tmpdir(), 'platen-simulate-'));
  opened.defer(() => rm(home, { recursive: true, force: true }));
  const random = createChaosRandom(seed).fork('run');
  const stage = new Stage(plan, outcome.findings, random, home);
  const world = await openWorld({
    random,
    databaseUrl: database.url,
    sessions: database.sessions,
    showTime: databases.showTime,
    write: options.write ?? (() => undefined),
    drawCallFault: (call) => stage.drawCallFault(call),
    answered: (...given) => stage.answered(...given),
    drawQueryFault: () => stage.drawQueryFault(),
    arrivesAtOnce: () => stage.arrivesAtOnce(),
  });
  opened.defer(() => world.close());
  stage.world = world;
  try {
    await new Story(plan, outcome, stage, database).play(options.limit ?? plan.events.length);
  } catch (error) {
    const evidence = error instanceof Error ? (error.stack ?? error.message) : String(error);
    outcome.findings.push({ rule: error instanceof NeverIdleError ? 'restless' : 'error', evidence });
  }
  outcome.hash = world.scheduler.hash();
  outcome.steps = world.scheduler.steps();
  outcome.days = world.scheduler.clock.ticks() / DAY;
  await stage.close();
  return outcome;
}
