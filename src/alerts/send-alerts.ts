import type { App } from '../app.ts';
import { Shops, type Shop } from '../database/entities/shops.ts';
import type { FileNetwork } from '../print/files/public-host.ts';
import { fillSettings } from '../shops/settings/settings-schema.ts';
import { AlertFailedError, type AlertProblem } from './alert-failed-error.ts';
import { decideAlert, toReported } from './decide-alert.ts';
import { deliver } from './deliver.ts';
import { buildAlert } from './messages/build-alert.ts';
import { buildDigest } from './messages/build-digest.ts';
import { allChannels, isDue, type Channel } from './read-channels.ts';
import { readHeldOrders } from './read-held-orders.ts';
import { lastWeek, nextDigestAt, readWeek } from './read-week.ts';

/** Longer than sending a message takes. If the process dies, another process can claim the channel after this time. */
const CLAIM_MS = 3 * 60_000;
/** Newer holds wait for the next alert, because a transaction with an earlier hold may not have ended yet. */
const SETTLE_MS = 2 * 60_000;
const MIN_RETRY_MS = 60_000;
const MAX_RETRY_MS = 6 * 3_600_000;

/**
 * Sends the alert and the weekly digest that are due in each of a shop's channels. A message is sent at least once, because its contents
 * are recorded only after the server has accepted the message. After a failure, the channel waits, and then sends everything new as one
 * message.
 */
export async function sendAlerts(
  app: App,
  { shopId }: { shopId: number },
  toGerman: (text: string) => string,
  network?: FileNetwork,
): Promise<void> {
  const shop = await app.db.manager.findOneBy(Shops, { id: shopId });
  if (!shop) return;
  for await (const found of allChannels(app, shopId)) {
    if (!isDue(found, app.clock.now()) || !(await claim(app, shop, found))) continue;
    // Another process may have sent messages since the channel was read.
    for await (const channel of allChannels(app, shopId))
      if (channel.channel === found.channel) await sendDue(app, shop, channel, { toGerman, network });
  }
}

/** Claims a channel for this process. Returns false if another process has claimed it. */
async function claim(app: App, shop: Shop, { channel }: Channel): Promise<boolean> {
  const now = app.clock.now();
  const claimed: unknown[] = await app.db.query(
    `insert into alert_channels as c (shop_id, channel, digest_at, next_try_at) values ($1, $2, $3, $4)
     on conflict (shop_id, channel) do update set next_try_at = excluded.next_try_at
       where c.next_try_at is null or c.next_try_at <= $5
     returning shop_id`,
    [shop.id, channel, nextDigestAt(now, shop.timeZone), new Date(now.getTime() + CLAIM_MS), now],
  );
  return claimed.length > 0;
}

interface SendOptions {
  toGerman: (text: string) => string;
  network: FileNetwork | undefined;
}

async function sendDue(app: App, shop: Shop, channel: Channel, options: SendOptions): Promise<void> {
  try {
    const alert = await sendAlert(app, shop, channel, options);
    // A claim covers one message. If both are due, the next pass sends the digest.
    const sent = alert === 'nothing' ? await sendDigest(app, shop, channel, options) : alert;
    if (sent === 'nothing') await release(app, channel);
    else await finish(app, channel, sent);
  } catch (error) {
    // After any other error, the job is retried once the claim has ended.
    if (!(error instanceof AlertFailedError)) throw error;
    await postpone(app, channel, error.problem);
  }
}

type Sent = AlertProblem | null | 'nothing';

async function sendAlert(app: App, shop: Shop, channel: Channel, { toGerman, network }: SendOptions): Promise<Sent> {
  const now = app.clock.now();
  const due = decideAlert(channel, now);
  if (due === null) return 'nothing';
  const until = new Date(now.getTime() - SETTLE_MS);
  const held = await readHeldOrders(app, channel, until);
  const isSent = held.total > 0 || due.started.length > 0 || due.ended.length > 0;
  const { alertLanguage: language } = fillSettings(shop.settings);
  const message = buildAlert(app, shop, due, held, { language, toGerman });
  const problem = isSent ? await deliver(app, shop, channel.channel, message, network) : 'nothing';
  await app.db.query(
    `update alert_channels set reported_until = $3, reported = $4, alerted_at = case when $5 then $6 else alerted_at end
     where shop_id = $1 and channel = $2`,
    [shop.id, channel.channel, until, JSON.stringify(toReported(channel, due)), isSent, now],
  );
  if (isSent) app.log.info({ shopId: shop.id, channel: channel.channel, orders: held.total }, 'an alert was sent');
  return problem;
}

async function sendDigest(app: App, shop: Shop, channel: Channel, { network }: SendOptions): Promise<Sent> {
  const now = app.clock.now();
  if (channel.digestAt === null || channel.digestAt > now) return 'nothing';
  const { weeklyDigest, alertLanguage } = fillSettings(shop.settings);
  const period = lastWeek(now, shop.timeZone);
  const message = weeklyDigest
    ? buildDigest(
        app,
        shop,
        {
          period,
          week: await readWeek(app, shop, period),
          before: await readWeek(app, shop, lastWeek(now, shop.timeZone, 1)),
        },
        alertLanguage,
      )
    : null;
  const problem = message === null ? 'nothing' : await deliver(app, shop, channel.channel, message, network);
  await app.db.query('update alert_channels set digest_at = $3 where shop_id = $1 and channel = $2', [
    shop.id,
    channel.channel,
    nextDigestAt(now, shop.timeZone),
  ]);
  return problem;
}

async function release(app: App, { shopId, channel }: Channel): Promise<void> {
  await app.db.query('update alert_channels set next_try_at = null where shop_id = $1 and channel = $2', [
    shopId,
    channel,
  ]);
}

/** Ends a claim after a message was sent. If some recipients have not received the message, `problem` says why. */
async function finish(app: App, { shopId, channel }: Channel, problem: AlertProblem | null): Promise<void> {
  await app.db.query(
    `update alert_channels set next_try_at = null, tries = 0, problem = $3, failed_at = case when $3::text is not null then $4::timestamptz end
     where shop_id = $1 and channel = $2`,
    [shopId, channel, problem, app.clock.now()],
  );
  if (problem !== null) app.log.warn({ shopId, channel, problem }, 'an alert did not reach all recipients');
}

async function postpone(app: App, { shopId, channel }: Channel, problem: AlertProblem): Promise<void> {
  await app.db.query(
    `update alert_channels set problem = $3, failed_at = $4::timestamptz, tries = tries + 1,
       next_try_at = $4::timestamptz + least($5 * power(2, least(tries, 20)), $6) * interval '1 millisecond'
     where shop_id = $1 and channel = $2`,
    [shopId, channel, problem, app.clock.now(), MIN_RETRY_MS, MAX_RETRY_MS],
  );
  app.log.warn({ shopId, channel, problem }, 'an alert could not be sent and will be retried');
}
