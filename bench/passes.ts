import { setTimeout as delay } from 'node:timers/promises';
import { untilStill } from './orders.ts';
import type { AppProcess, Stage } from './stage.ts';
import { measureCost, type Cost } from './work.ts';
import { enqueue } from '../src/jobs/enqueue.ts';

/** The cost of one pass of a poll, including the work that the pass started. */
export type PassCost = Omit<Cost, 'adminCost'> & { seconds: number };

const LOOK_MS = 10;

/** Enqueues one pass of a poll, as the app's schedule does, and waits until the work that the pass found is done. */
export async function measurePass(
  stage: Stage,
  app: AppProcess,
  pass: 'catch_up_print_orders' | 'catch_up_storefront_orders' | 'catch_up_lost_jobs',
): Promise<PassCost> {
  await untilStill(stage);
  const runs = await countRuns(stage, pass);
  return stage.withApp(async ({ db }) => {
    const startedAt = performance.now();
    const { cost, result } = await measureCost(stage, app, 1, async () => {
      if (pass === 'catch_up_storefront_orders') await enqueue(db, 'catch_up_shops', { pass });
      else await enqueue(db, pass, {});
      while ((await countRuns(stage, pass)) === runs) await delay(LOOK_MS);
      await untilStill(stage);
      return (performance.now() - startedAt) / 1000;
    });
    const { adminCost: _, ...kept } = cost;
    return { ...kept, seconds: result };
  });
}

async function countRuns(stage: Stage, pass: string): Promise<number> {
  const [row] = await stage.query<{ runs: string | null }>(
    'select sum(runs) as runs from poll_passes where pass = $1',
    [pass],
  );
  return Number(row?.runs);
}
