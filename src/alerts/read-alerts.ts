import type { App } from '../app.ts';
import type { Shop } from '../database/entities/shops.ts';
import { describeAlertProblem } from './alert-failed-error.ts';
import type { ChannelName } from './read-channels.ts';

/** Whether this installation can send emails, and the state of a shop's channels. */
export interface ShownAlerts {
  canMail: boolean;
  channels: {
    channel: ChannelName;
    /** When the last alert was sent (ISO 8601). Null if none was. */
    alertedAt: string | null;
    /** Why the last message did not reach all recipients, and when it failed. Null if it reached them. */
    problem: { code: string; message: string } | null;
    failedAt: string | null;
  }[];
}

/** Reads the state of a shop's channels. A channel that was never used is not listed. */
export async function readAlerts(app: App, { id }: Pick<Shop, 'id'>): Promise<ShownAlerts> {
  const rows: { channel: ChannelName; alertedAt: Date | null; problem: string | null; failedAt: Date | null }[] =
    await app.db.query(
      `select channel, alerted_at as "alertedAt", problem, failed_at as "failedAt" from alert_channels where shop_id = $1 order by channel`,
      [id],
    );
  return {
    canMail: app.config.mail !== null,
    channels: rows.map(({ channel, alertedAt, problem, failedAt }) => ({
      channel,
      alertedAt: alertedAt?.toISOString() ?? null,
      problem: describeAlertProblem(problem),
      failedAt: failedAt?.toISOString() ?? null,
    })),
  };
}

/** Counts the channels of all shops whose last message could not be sent. */
export async function countFailingChannels({ db }: Pick<App, 'db'>): Promise<number> {
  const [counted]: { channels: number }[] = await db.query(
    'select count(*)::int as channels from alert_channels where tries > 0',
  );
  return counted?.channels ?? 0;
}
