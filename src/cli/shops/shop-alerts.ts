import { sendTest } from '../../alerts/send-test.ts';
import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { NotPossibleError } from '../../errors.ts';
import { writeJson, writeLine } from '../../terminal.ts';

/** `platen shops test-alerts`: sends a test message to the recipients of a shop's alerts. Fails if a channel does not accept it. */
export async function shopsTestAlerts({ json }: { json: boolean }, app: App, shop: Shop): Promise<void> {
  const { channels } = await sendTest(app, shop);
  if (json) writeJson({ channels });
  else for (const { channel, problem } of channels) writeLine(`${channel}: ${problem?.message ?? 'sent'}`);
  if (channels.some(({ problem }) => problem !== null))
    throw new NotPossibleError('alert_failed', 'The test message did not reach all recipients.');
}
