import type { Middleware } from 'koa';
import type { App } from '../app.ts';
import { inTime } from './in-time.ts';

const CHECK_MS = 2_000;

/** What is missing before the app can work, in a word each; empty when nothing is. */
export type ReadyCheck = () => Promise<string[]>;

/** `GET /healthz`: the process answers. */
export const showLiveness: Middleware = (ctx) => {
  ctx.body = { alive: true };
};

/** `GET /readyz`: 200 when database and queue are reachable and `check` finds nothing missing, else 503 with what is missing. */
export function showReadiness(app: App, check: ReadyCheck): Middleware {
  return async (ctx) => {
    const missing = (await Promise.all([findMissingStorage(app), runCheck(check)])).flat();
    ctx.status = missing.length === 0 ? 200 : 503;
    ctx.body = { ready: missing.length === 0, missing };
  };
}

/** The queue lives in the same database: it is reachable when its schema is there. */
async function findMissingStorage(app: App): Promise<string[]> {
  try {
    const query = `select to_regnamespace('graphile_worker') is not null as "hasQueue"`;
    const [row] = await inTime<{ hasQueue: boolean }[]>(app.db.query(query), CHECK_MS);
    return row?.hasQueue ? [] : ['queue'];
  } catch {
    return ['database', 'queue'];
  }
}

async function runCheck(check: ReadyCheck): Promise<string[]> {
  return inTime(check(), CHECK_MS).catch(() => ['start']);
}
