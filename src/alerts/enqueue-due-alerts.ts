import type { App } from '../app.ts';
import { enqueue } from '../jobs/enqueue.ts';
import { allChannels, isDue } from './read-channels.ts';

/** Enqueues a job for each shop that has an alert or a digest to send. Returns the number of these channels. */
export async function enqueueDueAlerts(app: App): Promise<number> {
  let due = 0;
  for await (const channel of allChannels(app)) {
    if (!isDue(channel, app.now())) continue;
    due += 1;
    await enqueue(app.db, 'send_alerts', { shopId: channel.shopId });
  }
  return due;
}
