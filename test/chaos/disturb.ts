import { setTimeout as delay } from 'node:timers/promises';
import { backUp, restore } from './backup.ts';
import type { StopMode } from './postgres.ts';
import type { ChaosRandom } from './random.ts';
import type { Replica } from './replica.ts';
import { say } from './say.ts';
import type { OpenStage } from './stage.ts';
import { untilAnswers } from './until-answers.ts';

/** What a run did to the processes, as its summary counts it. */
export interface Disturbances {
  kills: number;
  freezes: number;
  databaseRestarts: number;
  restores: number;
  /** The database went back to what it was at the first moment, at the second one (milliseconds since 1970). */
  restored: { backedUpAt: number; restoredAt: number } | null;
}

interface DisturbOptions {
  stage: OpenStage;
  random: ChaosRandom;
  /** How much of the workload is placed, 0 to 1. */
  placedShare: () => number;
  /** How long a process is frozen at most; on the direct way shorter than the quiet time. */
  freezeMsAtMost: number;
  signal: AbortSignal;
}

type Kind = 'kill' | 'freeze' | StopMode;

/** Every run has these, in an order of its seed. */
const AT_LEAST: readonly Kind[] = ['kill', 'kill', 'kill', 'kill', 'freeze', 'fast', 'immediate'];
/** What comes after them, as often as it stands here. */
const THEN: readonly Kind[] = ['kill', 'kill', 'kill', 'kill', 'kill', 'freeze', 'freeze', 'fast', 'immediate'];
const PAUSE_MS = [800, 3_500] as const;
const DOWN_MS = [200, 2_000] as const;
const DATABASE_DOWN_MS = [0, 1_500] as const;
const BACKUP_AGE_MS = [3_000, 8_000] as const;
/** Orders are in every state by then. */
const BACKUP_AT_SHARE = 0.35;
/** After the last order was placed: it, too, is on its way meanwhile. */
const TAIL_MS = 4_000;

/**
 * Disturbs the processes until everything is placed, each kind has had its turn and a backup was restored: SIGKILL of a replica,
 * SIGSTOP of one for a while, PostgreSQL stopped or crashed and started again, once the database put back to what it was seconds
 * before. When it resolves everything runs again. What it does it counts in `done`.
 */
export async function disturb(done: Disturbances, options: DisturbOptions): Promise<void> {
  const { stage, random, placedShare, signal } = options;
  const owed = random.shuffle(AT_LEAST);
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
    const isDone = await carryOut(next ?? random.pick(THEN));
    // No process was there for it at that moment.
    if (next !== undefined && !isDone) owed.push(next);
    if (placedShare() >= BACKUP_AT_SHARE) await backup.step(stage, done, signal);
    if (placedShare() >= 1) placedAt = Math.min(placedAt, Date.now());
  }
  await Promise.all(thawing);
  await untilAllReady(stage.replicas, signal);
}

async function killOne(done: Disturbances, replicas: readonly Replica[], random: ChaosRandom): Promise<boolean> {
  const downMs = Math.round(random.between(...DOWN_MS));
  const victim = random.pick(replicas);
  if (!victim.isUp() && !victim.isFrozen()) return false;
  // All at once is what the restore does.
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
  // A run that is interrupted does not wait for it: its processes are killed.
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
  const downMs = Math.round(random.between(...DATABASE_DOWN_MS));
  done.databaseRestarts += 1;
  say(`stop PostgreSQL (${mode}), away for ${downMs} ms`);
  await postgres.stop(mode);
  await delay(downMs);
  await postgres.start();
  return true;
}

interface Backup {
  /** It was not restored yet. */
  isOpen(): boolean;
  /** Takes it, or restores it once it is old enough. */
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

/** As the documentation asks of an operator: every process is ended, and `platen restored` runs before one starts again. */
async function restoreBackup(stage: OpenStage): Promise<void> {
  say('end all replicas and restore the backup');
  await Promise.all(stage.replicas.map((replica) => replica.stop()));
  await restore(stage.postgres);
  say(`platen restored: ${(await stage.platen(['restored'])).trim()}`);
  for (const replica of stage.replicas) replica.start();
}

async function untilAllReady(replicas: readonly Replica[], signal: AbortSignal): Promise<void> {
  await Promise.all(replicas.map(({ port }) => untilAnswers(`http://127.0.0.1:${port}/readyz`, signal)));
}
