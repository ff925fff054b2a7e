import { say } from '../test/chaos/say.ts';
import { sendWebhooks } from './intake.ts';
import { openShops } from './shops.ts';
import { openStage, readWork } from './stage.ts';

/** The start time and memory of a Platen process. */
interface Footprint {
  /** The time from the start of the process until `/readyz` returns 200, on a migrated database. */
  readyMs: number;
  /** The memory of the process that serves requests, once it is ready and after it has received the webhooks. */
  rssAtStartMb: number;
  rssMb: number;
  webhooks: number;
}

const WEBHOOKS = 100_000;
/** The load generator creates its webhooks in advance, so its memory limits their number per run. */
const AT_A_TIME = 10_000;
const SHOPS = 4;

/** Measures the start time and the memory of a process on a separate stage. */
export async function measureFootprint(webhooks = WEBHOOKS): Promise<Footprint> {
  const stage = await openStage({ advanceSeconds: null });
  try {
    const shops = await stage.withApp((app) => openShops(stage, app, 'footprint', SHOPS));
    const domains = shops.map(({ domain }) => domain);
    const { child, readyMs } = await stage.startApp('web');
    const { rssMb: rssAtStartMb } = await readWork(child);
    for (let sent = 0; sent < webhooks; sent += AT_A_TIME) {
      await sendWebhooks(stage, stage.appUrl, domains, Math.min(AT_A_TIME, webhooks - sent));
      say(`footprint: ${Math.min(webhooks, sent + AT_A_TIME)} of ${webhooks} webhooks`);
    }
    const { rssMb } = await readWork(child);
    return { readyMs, rssAtStartMb, rssMb, webhooks };
  } finally {
    await stage.close();
  }
}
