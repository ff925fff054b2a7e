import type { Middleware } from 'koa';
import type { App } from '../../app.ts';
import { findKeyProblem } from '../../shops/print-account/find-key-problem.ts';
import { readQuietUntil } from '../../shops/print-account/read-quiet-until.ts';
import { inTime } from '../in-time.ts';

const CHECK_MS = 2_000;

/** What is missing before the app can work, in a word each; empty when nothing is. */
export type ReadyCheck = () => Promise<string[]>;

/** `GET /healthz`: the process answers. */
export const showLiveness: Middleware = (ctx) => {
  ctx.body = { alive: true };
};

interface Readiness {
  missing: string[];
  /** A sentence for what a word does not explain. */
  why?: Record<string, string>;
  quietUntil?: string;
}

/**
 * `GET /readyz`: 200 when database and queue are reachable, the encryption key fits and `check` finds nothing missing, else 503 with
 * what is missing. During the quiet time it is ready, and says until when nothing is sent.
 */
export function showReadiness(app: App, check: ReadyCheck): Middleware {
  return async (ctx) => {
    const [storage, missing] = await Promise.all([
      inTime(readStorage(app), CHECK_MS).catch((): Readiness => ({ missing: ['database', 'queue'] })),
      inTime(check(), CHECK_MS).catch(() => ['start']),
    ]);
    const all = [...storage.missing, ...missing];
    ctx.status = all.length === 0 ? 200 : 503;
    ctx.body = { ready: all.length === 0, ...storage, missing: all };
  };
}

/** The queue lives in the same database: it is reachable when its schema is there. */
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
