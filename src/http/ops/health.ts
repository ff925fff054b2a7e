import type { Middleware } from 'koa';
import type { App } from '../../app.ts';
import { findKeyProblem } from '../../shops/print-account/find-key-problem.ts';
import { readQuietUntil } from '../../shops/print-account/read-quiet-until.ts';
import { shareRead } from './share-read.ts';
import { withTimeLimit } from '../with-time-limit.ts';

const CHECK_MS = 2_000;

/** Lists what Platen still needs before it can work, one word for each item. */
export type ReadyCheck = () => Promise<string[]>;

/** `GET /healthz`: shows that the process responds. */
export const respondWithLiveness: Middleware = (ctx) => {
  ctx.body = { alive: true };
};

interface Readiness {
  missing: string[];
  /** Explanations of the words in `missing` that need one. */
  why?: Record<string, string>;
  quietUntil?: string;
}

/**
 * `GET /readyz`: 200 if the database and the queue are reachable, the encryption key is correct and `check` finds nothing missing.
 * Otherwise, 503 with the missing items. During the quiet time, the app is ready, and `quietUntil` shows when sending resumes.
 */
export function showReadiness(app: App, check: ReadyCheck): Middleware {
  // The endpoint has no rate limit, so simultaneous requests share one reading.
  const readSharedStorage = shareRead(() => withTimeLimit(app.clock, readStorage(app), CHECK_MS));
  return async (ctx) => {
    const [read, missing] = await Promise.all([
      readSharedStorage(),
      withTimeLimit(app.clock, check(), CHECK_MS).catch(() => ['start']),
    ]);
    const storage: Readiness = read ?? { missing: ['database', 'queue'] };
    const all = [...storage.missing, ...missing];
    ctx.status = all.length === 0 ? 200 : 503;
    ctx.body = { ready: all.length === 0, ...storage, missing: all };
  };
}

/** The queue is in the same database, so the queue is reachable if its schema exists. */
async function readStorage(app: App): Promise<Readiness> {
  const query = `select to_regnamespace('graphile_worker') is not null as "hasQueue"`;
  const [row] = await app.db.query<{ hasQueue: boolean }[]>(query);
  const [keyProblem, quietUntil] = await Promise.all([findKeyProblem(app), readQuietUntil(app)]);
  return {
    missing: [...(row?.hasQueue ? [] : ['queue']), ...(keyProblem === null ? [] : ['encryption_key'])],
    ...(keyProblem !== null && { why: { encryption_key: keyProblem } }),
    ...(quietUntil !== null && { quietUntil: quietUntil.toISOString() }),
  };
}
