import { setTimeout as delay } from 'node:timers/promises';
import { backUp, restore } from './stage/backup.ts';
import type { StopMode } from './stage/postgres.ts';
import type { ChaosRandom } from './orders/random.ts';
import type { Replica } from './stage/replica.ts';
import { say } from './say.ts';
import type { OpenStage } from './stage/stage.ts';
import { untilResponds } from './stage/until-responds.ts';

/** The disturbances of a run, counted for its summary. */
export interface Disturbances {
  kills: number;
  freezes: number;
  databaseRestarts: number;
  restores: number;
  /** At `restoredAt`, the database was restored to its state at `backedUpAt`. Both are milliseconds since 1970. */
  restored: { backedUpAt: number; restoredAt: number } | null;
}

interface DisturbOptions {
  stage: OpenStage;
  random: ChaosRandom;
  /** The share of the workload's orders that have been placed, from 0 to 1. */
  placedShare: () => number;
  /** The longest time for which a process is frozen. In direct mode, it is shorter than the quiet time. */
  freezeMsAtMost: number;
  signal: AbortSignal;
}

type Kind = 'kill' | 'freeze' | StopMode;

/** Every run includes these disturbances, in an order that its seed determines. */
const REQUIRED_KINDS: readonly Kind[] = ['kill', 'kill', 'kill', 'kill', 'freeze', 'fast', 'immediate'];
/** Subsequent disturbances are picked from this list. */
const LATER_KINDS: readonly Kind[] = ['kill', 'kill', 'kill', 'kill', 'kill', 'freeze', 'freeze', 'fast', 'immediate'];
const PAUSE_MS = [800, 3_500] as const;
const DOWNTIME_MS = [200, 2_000] as const;
const DATABASE_DOWNTIME_MS = [0, 1_500] as const;
const BACKUP_AGE_MS = [3_000, 8_000] as const;
/** The backup is created once this share of the orders has been placed, because there are then orders in every state. */
const BACKUP_AT_SHARE = 0.35;
/** Disturbances continue for this long after the last order has been placed, while that order is being submitted. */
const TAIL_MS = 4_000;

/**
 * Disturbs the processes until all orders have been placed, each kind of disturbance has occurred and a backup has been restored. Kills
 * replicas, freezes them for a while, and stops or crashes PostgreSQL and restarts it. Once, restores the database to its state some
 * seconds earlier. When the promise resolves, everything is running again. Counts the disturbances in `done`.
 */
export async function disturb(done: Disturbances, options: DisturbOptions): Promise<void> {
  const { stage, random, placedShare, signal } = options;
  const owed = random.shuffle(REQUIRED_KINDS);
  const backup = planBackup(random.fork('backup'));
  const thawing = new Set<Promise<void>>();

  async function carryOut(kind: Kind): Promise<boolean> {
    if (kind === 'kill') return killOne(done, stage.replicas, random);
    if (kind === 'freeze') return freezeOne(done, stage.replicas, random, options.freezeMsAtMost, thawing);
    return restartDatabase(done, stage, random, kind);
  }

  let placedAt = Infinity;
  while (owed.length > 0 || backup.isOpen() || Date.now() - placedAt < TAIL_MS) {
    await delay(random.between(...PAUSE_MS), undefined, { signal });
    const next = owed.pop();
    const isDone = await carryOut(next ?? random.pick(LATER_KINDS));
    // No suitable process was running, so the disturbance must be repeated later.
    if (next !== undefined && !isDone) owed.push(next);
    if (placedShare() >= BACKUP_AT_SHARE) await backup.step(stage, done, signal);
    if (placedShare() >= 1) placedAt = Math.min(placedAt, Date.now());
  }
  await Promise.all(thawing);
  await untilAllReady(stage.replicas, signal);
}

async function killOne(done: Disturbances, replicas: readonly Replica[], random: ChaosRandom): Promise<boolean> {
  const downMs = Math.round(random.between(...DOWNTIME_MS));
  const victim = random.pick(replicas);
  if (!victim.isUp() && !victim.isFrozen()) return false;
  // At least one replica remains up. Only the restore stops all of them.
  if (replicas.length > 1 && !replicas.some((replica) => replica !== victim && replica.isUp())) return false;
  done.kills += 1;
  say(`kill ${victim.name}, away for ${downMs} ms`);
  await victim.killAndRestart(downMs);
  return true;
}

function freezeOne(
  done: Disturbances,
  replicas: readonly Replica[],
  random: ChaosRandom,
  msAtMost: number,
  thawing: Set<Promise<void>>,
): boolean {
  const frozenMs = Math.round(random.between(500, msAtMost));
  const victim = random.pick(replicas);
  if (!victim.isUp()) return false;
  done.freezes += 1;
  say(`freeze ${victim.name} for ${frozenMs} ms`);
  victim.freeze();
  // An interrupted run does not wait until the frozen process resumes, because all of the run's processes are killed.
  const thaw = delay(frozenMs, undefined, { ref: false }).then(() => victim.thaw());
  thawing.add(thaw);
  void thaw.finally(() => thawing.delete(thaw));
  return true;
}

async function restartDatabase(
  done: Disturbances,
  { postgres }: OpenStage,
  random: ChaosRandom,
  mode: StopMode,
): Promise<boolean> {
  const downMs = Math.round(random.between(...DATABASE_DOWNTIME_MS));
  done.databaseRestarts += 1;
  say(`stop PostgreSQL (${mode}), away for ${downMs} ms`);
  await postgres.stop(mode);
  await delay(downMs);
  await postgres.start();
  return true;
}

interface Backup {
  /** Returns whether the backup has not been restored yet. */
  isOpen(): boolean;
  /** Creates the backup, or restores it if it is old enough. */
  step(stage: OpenStage, done: Disturbances, signal: AbortSignal): Promise<void>;
}

function planBackup(random: ChaosRandom): Backup {
  const ageMs = random.between(...BACKUP_AGE_MS);
  let backedUpAt: number | null = null;
  let isOpen = true;
  return {
    isOpen: () => isOpen,
    async step(stage, done, signal) {
      if (backedUpAt === null) {
        backedUpAt = Date.now();
        say('back up the database');
        await backUp(stage.postgres);
      } else if (isOpen && Date.now() - backedUpAt >= ageMs) {
        isOpen = false;
        await restoreBackup(stage);
        done.restores += 1;
        done.restored = { backedUpAt, restoredAt: Date.now() };
        await untilAllReady(stage.replicas, signal);
      }
    },
  };
}

/**
 * Restores the backup as the operator documentation requires: ends every process, and runs `platen restored` before any process starts
 * again.
 */
async function restoreBackup(stage: OpenStage): Promise<void> {
  say('end all replicas and restore the backup');
  await Promise.all(stage.replicas.map((replica) => replica.stop()));
  await restore(stage.postgres);
  say(`platen restored: ${(await stage.platen(['restored'])).trim()}`);
  for (const replica of stage.replicas) replica.start();
}

async function untilAllReady(replicas: readonly Replica[], signal: AbortSignal): Promise<void> {
  await Promise.all(replicas.map(({ port }) => untilResponds(`http://127.0.0.1:${port}/readyz`, signal)));
}
