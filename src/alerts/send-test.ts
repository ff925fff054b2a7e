import type { App } from '../app.ts';
import type { Shop } from '../database/entities/shops.ts';
import { NotPossibleError } from '../errors.ts';
import type { FileNetwork } from '../print/files/public-host.ts';
import { findShop } from '../shops/find-shop.ts';
import { fillSettings } from '../shops/settings/settings-schema.ts';
import { AlertFailedError, describeAlertProblem } from './alert-failed-error.ts';
import { deliver } from './deliver.ts';
import { buildTest } from './messages/build-test.ts';
import type { ChannelName } from './read-channels.ts';

/** The result of a test message in one channel. `problem` is null if the server accepted the message. */
export interface SentTest {
  channel: ChannelName;
  problem: { code: string; message: string } | null;
}

/** Sends a test message to each of a shop's channels now. Throws NotPossibleError if the shop has none. */
export async function sendTest(
  app: App,
  { id }: Pick<Shop, 'id'>,
  network?: FileNetwork,
): Promise<{ channels: SentTest[] }> {
  const shop = await findShop(app, id);
  const { alertEmails, alertLanguage } = fillSettings(shop.settings);
  const used: ChannelName[] = [
    ...(alertEmails.length > 0 ? (['email'] as const) : []),
    ...(shop.alertSlackUrlEncrypted === null ? [] : (['slack'] as const)),
  ];
  if (used.length === 0)
    throw new NotPossibleError('no_recipients', 'Nobody receives alerts yet. Save an email address or a chat first.');
  const message = buildTest(app, shop, alertLanguage);
  const channels: SentTest[] = [];
  for (const channel of used) {
    const problem = await deliver(app, shop, channel, message, network).catch((error: unknown) => {
      if (error instanceof AlertFailedError) return error.problem;
      throw error;
    });
    await recordTestResult(app, shop, channel, problem);
    channels.push({ channel, problem: describeAlertProblem(problem) });
  }
  return { channels };
}

/** After a successful test, an alert that was waiting for its next attempt is sent soon. */
async function recordTestResult(app: App, shop: Shop, channel: ChannelName, problem: string | null): Promise<void> {
  await app.db.query(
    `update alert_channels set problem = $3, failed_at = case when $3::text is not null then $4::timestamptz end,
       next_try_at = case when $3::text is null and tries > 0 then null else next_try_at end,
       tries = case when $3::text is null then 0 else tries end
     where shop_id = $1 and channel = $2`,
    [shop.id, channel, problem, app.clock.now()],
  );
}
