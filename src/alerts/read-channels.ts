import type { App } from '../app.ts';
import { STILL_SILENT } from '../shops/record-polled-changes.ts';
import { decideAlert, GATHER_MS, type ReportState } from './decide-alert.ts';

export const channelNames = ['email', 'slack'] as const;
export type ChannelName = (typeof channelNames)[number];

/** A channel that a shop uses, with the shop's current problems and those that have been reported there. */
export interface Channel extends ReportState {
  shopId: number;
  channel: ChannelName;
  /** Whether the channel has a row. It gets one when a sender first claims it. */
  isKnown: boolean;
  reportedUntil: Date | null;
  digestAt: Date | null;
  nextTryAt: Date | null;
}

/**
 * Codes of holds that are not reported: those that a person opened on purpose, and drafts, which a shop with `leavesDrafts` has for every
 * order.
 */
export const UNREPORTED_HOLD_CODES = ['held_by_hand', 'left_as_draft'];

const PAGE = 500;

/** Reads the channels of all shops that use one, or those of one shop. Shops that Platen has left get no messages. */
export async function* allChannels(app: App, shopId: number | null = null): AsyncGenerator<Channel> {
  for (let after = 0; ;) {
    const rows: Channel[] = await app.db.query(CHANNELS, [
      shopId,
      after,
      PAGE,
      UNREPORTED_HOLD_CODES,
      new Date(app.clock.now().getTime() - GATHER_MS),
    ]);
    yield* rows;
    const last = rows.at(-1);
    if (!last || shopId !== null) return;
    after = last.shopId;
  }
}

/** Whether a channel has something to send now. */
export function isDue(channel: Channel, now: Date): boolean {
  const { isKnown, nextTryAt, digestAt } = channel;
  if (nextTryAt !== null && nextTryAt > now) return false;
  return !isKnown || decideAlert(channel, now) !== null || (digestAt !== null && digestAt <= now);
}

const since = (moment: string): string => `floor(extract(epoch from ${moment}))::bigint`;
const silent = (source: string): string =>
  `(select ${since('n.silent_since')} from poll_news n where n.shop_id = s.id and n.source = '${source}' and ${STILL_SILENT})`;

const CHANNELS = `
  with recipients as (
    select s.* from shops s
    where s.state in ('installed', 'needs_sign_in') and (s.left_at is null or s.left_at < s.signed_in_at)
      and ($1::int is null or s.id = $1) and s.id > $2
      and (coalesce(s.settings -> 'alertEmails', '[]') <> '[]' or s.alert_slack_url_encrypted is not null)
    order by s.id limit $3)
  select s.id as "shopId", c.channel, r.shop_id is not null as "isKnown", r.reported_until as "reportedUntil",
    coalesce(r.reported, '{}') as reported, r.digest_at as "digestAt", r.alerted_at as "alertedAt", r.next_try_at as "nextTryAt",
    exists (select from holds h where h.shop_id = s.id and h.resolved_at is null and h.code <> all($4)
      and h.created_at > coalesce(r.reported_until, '-infinity') and h.created_at <= $5) as "hasNewHolds",
    jsonb_strip_nulls(jsonb_build_object(
      'key_refused', case when a.state = 'refused' then ${since('a.refused_at')} end,
      'payment_refused', ${since('a.payment_refused_at')},
      'signed_out', ${since('s.signed_out_at')},
      'server_refused', ${since('s.admin_refused_at')},
      'fenced_off', ${since('s.fenced_off_at')},
      'other_app', (select ${since('min(o.first_seen_at)')} from other_app_stores o where o.shop_id = s.id and o.allowed_at is null),
      'store_silent', ${silent('shopify')},
      'print_silent', ${silent('print')})) as conditions
  from recipients s
  cross join lateral (values ('email', coalesce(s.settings -> 'alertEmails', '[]') <> '[]'), ('slack', s.alert_slack_url_encrypted is not null))
    as c(channel, is_used)
  left join alert_channels r on r.shop_id = s.id and r.channel = c.channel
  left join print_accounts a on a.id = s.print_account_id
  where c.is_used
  order by s.id, c.channel`;
