import type { App } from '../app.ts';
import { enqueue } from '../jobs/enqueue.ts';
import { allChannels, isDue } from './read-channels.ts';

/**
 * Jobs in one queue never run in parallel. All shops share these few queues, so a slow mail server occupies only a few job slots, and
 * orders do not wait for it.
 */
const QUEUES = 3;

/** Enqueues a job for each shop that has an alert or a digest to send. Returns the number of channels with something to send. */
export async function enqueueDueAlerts(app: App): Promise<number> {
  let due = 0;
  for await (const channel of allChannels(app)) {
    if (!isDue(channel, app.clock.now())) continue;
    due += 1;
    const { shopId } = channel;
    await enqueue(app.db, 'send_alerts', { shopId }, { queue: `send_alerts:${shopId % QUEUES}` });
  }
  return due;
}
