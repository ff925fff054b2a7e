import type { App } from '../../app.ts';
import { LATE_REQUEST_DAYS } from './count-late-requests.ts';
import { eraseTrackingLinks } from './erase-tracking-links.ts';
import { eraseQuotedMessages } from './erase-quoted-messages.ts';
import { eraseOrderEvents } from './order-events.ts';
import { enqueueRedaction } from '../enqueue/enqueue-redaction.ts';

/**
 * Print events and tracking links of redacted orders keep arriving while their parcels are in transit. For this many days after a
 * redaction, each daily pass erases the data that has arrived.
 */
const WATCHED_DAYS = 90;
const PAGE = 500;
const MAX_NAMED = 100;

/**
 * Runs the daily pass over privacy requests: enqueues lost redactions, erases data that arrived after an order's redaction and logs an
 * error for each request that has been open for at least 20 days. Returns the number of such requests.
 */
export async function checkPrivacyRequests(app: App): Promise<number> {
  await enqueueOpenRequests(app);
  await eraseLateData(app);
  return logLateRequests(app);
}

async function enqueueOpenRequests(app: App): Promise<void> {
  const open = readPages(app, 'o.redacted_at is not null and o.erased_at is null');
  for await (const ids of open) for (const id of ids) await enqueueRedaction(app.db, id);
}

async function eraseLateData(app: App): Promise<void> {
  const since = new Date(app.clock.now().getTime() - WATCHED_DAYS * 86_400_000);
  for await (const ids of readPages(app, 'o.erased_at is not null and o.redacted_at > $3', since)) {
    await eraseQuotedMessages(app.db.manager, ids);
    await eraseOrderEvents(app.db.manager, ids, app.clock.now());
    await eraseTrackingLinks(app.db.manager, ids, app.clock.now());
  }
}

/** Yields the IDs of storefront orders that match a condition, page by page. */
async function* readPages(app: App, condition: string, ...parameters: unknown[]): AsyncGenerator<string[]> {
  let after = '0';
  for (;;) {
    const rows: { id: string }[] = await app.db.query(
      `select o.id from storefront_orders o where o.id > $1 and ${condition} order by o.id limit $2`,
      [after, PAGE, ...parameters],
    );
    if (rows.length > 0) yield rows.map(({ id }) => id);
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return;
    after = last.id;
  }
}

async function logLateRequests(app: App): Promise<number> {
  const late: { id: string; domain: string; kind: string; due_at: Date }[] = await app.db.query(
    `select r.id, s.domain, r.kind, r.due_at from privacy_requests r join shops s on s.id = r.shop_id
     where r.done_at is null and r.received_at <= $1::timestamptz - make_interval(days => $2) order by r.received_at`,
    [app.clock.now(), LATE_REQUEST_DAYS],
  );
  for (const { id: requestId, domain: shop, kind, due_at: dueAt } of late.slice(0, MAX_NAMED))
    app.log.error(
      { requestId, shop, kind, dueAt },
      'a privacy request has been open for 20 days; it is due within 30 days',
    );
  return late.length;
}
