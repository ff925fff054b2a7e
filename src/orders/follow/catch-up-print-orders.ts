import type { App } from '../../app.ts';
import { levelOf } from '../../log.ts';
import { PlatenError } from '../../errors.ts';
import type { PassResult } from '../../jobs/tasks.ts';
import { PrintServiceError } from '../../print/errors.ts';
import type { FoundRecord, PrintInterface, PrintPort } from '../../print/port.ts';
import { recordPolledChanges } from '../../shops/record-polled-changes.ts';
import { openPrintPort } from '../../shops/print-account/print-account.ts';
import { fillSettings } from '../../shops/settings/settings-schema.ts';
import { describeFailure, formatServiceMessage } from '../waits/describe-failure.ts';
import { endStepWaits } from '../waits/end-step-waits.ts';
import { recordStepWaits } from '../waits/record-step-wait.ts';
import { IS_LINE_UNTRACKED } from './fulfill-untracked-parcels.ts';
import { enqueueFollow } from '../enqueue/enqueue-follow.ts';
import { stateInSql } from '../facts/order-state.ts';
import { isActiveSql } from '../../database/is-active.ts';

/** The time between two passes. */
const POLL_SECONDS = 300;
const UNREADABLE_KEY = "The print account's key cannot be read.";

const CURRENT = { printInterface: 'current', legacyHost: 'live', extendedCalls: false } as const;
/** Maximum number of IDs in one search, so that its result has one page. */
const PAGE = 100;

interface OpenPart {
  id: string;
  reference: string;
  shop_id: number;
  storefront_order_id: string;
  print_account_id: number;
  service_order_id: string;
  print_interface: PrintInterface;
  status: string | null;
  is_refused: boolean;
  /** Whether the parcels have left without all their codes, and a reading may show or confirm the missing codes. */
  awaits_codes: boolean;
  /** The service's IDs of all parts of the storefront order. */
  known_ids: string[];
  /** Whether a reading searches for the order, because its shop does not use the call that shows an order. */
  is_searched: boolean;
  /** Whether the service accepted the order so long ago that a search must show it. */
  is_settled: boolean;
  /** Whether a reading has already been enqueued, for example because of an event. */
  is_followed: boolean;
}

/** The print order after which a page starts, by account and ID. */
type Place = Pick<OpenPart, 'print_account_id' | 'id'>;

/**
 * Compensates for lost events. Searches each account's open print orders, a hundred IDs at a time, and follows those whose status or
 * payment state differs, or that the service has split. Also follows those that shipped without a tracking code, if a reading can show or
 * confirm the code. The earlier interfaces have no search, so all their orders are followed. For the rest of the pass, an account that does
 * not respond receives no further requests, and an account that cannot be opened is skipped.
 */
export async function catchUpPrintOrders(app: App): Promise<PassResult> {
  const result: PassResult = { found: 0, fixed: 0, error: null };
  const failed = new Map<number, PlatenError>();
  for (let after: Place = { print_account_id: 0, id: '0' }; ;) {
    const parts = await readOpenParts(app, after);
    for (const [accountId, ofAccount] of Map.groupBy(parts, (part) => part.print_account_id)) {
      const shown = new Map<string, FoundRecord>();
      const begunAt = app.clock.now();
      const error = failed.get(accountId) ?? (await searchParts(app, accountId, ofAccount, shown));
      if (error) failed.set(accountId, error);
      await recordSearch(app, ofAccount, begunAt, error);
      result.error ??= error?.code ?? null;
      // Without a readable key, Platen cannot follow the account's print orders either.
      if (error && !(error instanceof PrintServiceError)) continue;
      const { toFollow, news } = await compareParts(app, ofAccount, error ? null : shown);
      await recordPolledChanges(
        app,
        'print',
        news.map((part) => part.shop_id),
      );
      result.found += toFollow;
      result.fixed += news.length;
    }
    const last = parts.at(-1);
    if (!last || new Set(parts.map(({ id }) => id)).size < PAGE) return result;
    after = last;
  }
}

/**
 * SQL: print order `p` is read by a search. A search shows no tracking codes, but it confirms those that events have reported. A print order that was begun as a draft always uses the extended
 * calls.
 */
const IS_SEARCHED = `(p.print_interface = 'current' and p.submit_way = 'direct'
  and not coalesce((shops.settings ->> 'extendedCalls')::boolean, ${fillSettings({}).extendedCalls}))`;

/** Reads a page of print orders with their parts, by account. A page never ends between two parts of a print order. */
function readOpenParts(app: App, after: Place): Promise<OpenPart[]> {
  return app.db.query(
    `select p.id, p.reference, p.shop_id, p.storefront_order_id, p.print_account_id, p.print_interface, s.service_order_id, s.status,
       p.financial_status is not distinct from 'refused' as is_refused,
       ${stateInSql('shipped')} and case when ${IS_SEARCHED}
         then exists (select from packages k where k.print_order_id = p.id and k.confirmed_at is null and k.tracking_code <> '')
         else not exists (select from packages k where k.print_order_id = p.id and k.confirmed_at is not null and k.tracking_code <> '')
           or exists (select from print_order_lines l where ${IS_LINE_UNTRACKED}) end as awaits_codes,
       array(select o.service_order_id from print_orders q join service_orders o on o.print_order_id = q.id
         where q.storefront_order_id = p.storefront_order_id) as known_ids,
       ${IS_SEARCHED} as is_searched, p.confirmed_at < $4 as is_settled,
       exists (select from graphile_worker.jobs j where j.key = 'follow:' || p.id) as is_followed
     from (select * from print_orders where (print_account_id, id) > ($1, $2) and confirmed_at is not null
             and ${stateInSql('polled', 'state')}
             and exists (select from shops s where s.id = print_orders.shop_id and ${isActiveSql()})
             and exists (select from service_orders o where o.print_order_id = print_orders.id and o.role in ('chosen', 'part'))
           order by print_account_id, id limit $3) p
     join service_orders s on s.print_order_id = p.id and s.role in ('chosen', 'part')
     join shops on shops.id = p.shop_id
     order by p.print_account_id, p.id`,
    [
      after.print_account_id,
      after.id,
      PAGE,
      new Date(app.clock.now().getTime() - app.config.print.submitQuietSeconds * 1000),
    ],
  );
}

/**
 * Adds the service's records of these parts to `shown`. IDs may change when the service splits an order, so an order that would be read by a
 * search is also searched by its reference. Returns the error if the account does not respond or cannot be opened. */
async function searchParts(
  app: App,
  accountId: number,
  parts: readonly OpenPart[],
  shown: Map<string, FoundRecord>,
): Promise<PlatenError | null> {
  const current = parts.filter((part) => part.print_interface === 'current');
  try {
    const { port } = await openPrintPort(app, accountId, CURRENT);
    const ids = current.map((part) => part.service_order_id);
    for await (const record of findPages(port, 'ids', ids)) shown.set(record.id, record);
    const added = new Set(current.flatMap((part) => listAddedIds(part, shown)));
    for await (const record of findPages(port, 'ids', [...added])) shown.set(record.id, record);
    const missing = current.filter((part) => part.is_searched && !shown.has(part.service_order_id));
    const references = [...new Set(missing.map(({ reference }) => reference))];
    for await (const record of findPages(port, 'orderReferenceIds', references)) shown.set(record.id, record);
    return null;
  } catch (error) {
    if (!(error instanceof PlatenError)) throw error;
    app.log[levelOf(error)]({ accountId, error }, 'the poll of open print orders failed for an account');
    return error;
  }
}

async function* findPages(
  port: PrintPort,
  by: 'ids' | 'orderReferenceIds',
  values: readonly string[],
): AsyncGenerator<FoundRecord, void> {
  for (let start = 0; start < values.length; start += PAGE) {
    const page = values.slice(start, start + PAGE);
    yield* port.findAll(by === 'ids' ? { ids: page } : { orderReferenceIds: page });
  }
}

interface Comparison {
  /** Number of print orders to follow. */
  toFollow: number;
  /** One changed part of each print order that has changed and for which no reading has been enqueued yet. */
  news: OpenPart[];
}

async function compareParts(
  app: App,
  parts: readonly OpenPart[],
  shown: ReadonlyMap<string, FoundRecord> | null,
): Promise<Comparison> {
  const references = new Set([...(shown ?? [])].map(([, { orderReferenceId }]) => orderReferenceId));
  const isNews = (part: OpenPart): boolean => !part.is_followed && shown !== null && hasChanged(part, shown);
  const news = new Map(parts.filter(isNews).map((part) => [part.id, part]));
  const toFollow = new Map(parts.filter((part) => mustFollow(part, shown, references)).map((part) => [part.id, part]));
  for (const { id, storefront_order_id: storefrontOrderId } of toFollow.values()) {
    await enqueueFollow(app.db.manager, { id, storefrontOrderId });
  }
  return { toFollow: toFollow.size, news: [...news.values()] };
}

/**
 * Returns whether to follow a part. The follow step can read a part that the search does not show by its ID. If the follow step would search
 * too, the part is followed only if the service shows the `references` of the order, or if the order may be missing. `shown` is null if the
 * account did not respond.
 */
function mustFollow(
  part: OpenPart,
  shown: ReadonlyMap<string, FoundRecord> | null,
  references: ReadonlySet<string>,
): boolean {
  if (part.awaits_codes || part.print_interface !== 'current') return true;
  const record = shown?.get(part.service_order_id);
  // The follow step then waits, and names the field.
  if (record?.lostField) return true;
  if (shown === null || record) return shown !== null && hasChanged(part, shown);
  return !part.is_searched || part.is_settled || references.has(part.reference);
}

/**
 * Records for each open print order whether its account responded. After an account has failed for a while, its orders show that they are
 * waiting for the service.
 */
async function recordSearch(
  app: App,
  parts: readonly OpenPart[],
  begunAt: Date,
  error: PlatenError | null,
): Promise<void> {
  const searched = new Map(parts.filter((one) => one.print_interface === 'current').map((one) => [one.id, one]));
  const { manager } = app.db;
  if (!error) return endStepWaits(app, manager, { printOrderIds: [...searched.keys()] }, 'search', begunAt);
  const isAnswer = error instanceof PrintServiceError;
  const why = isAnswer ? describeFailure(error, 'read the status of the order') : UNREADABLE_KEY;
  const words = isAnswer ? formatServiceMessage(error) : null;
  const waiting = [...searched.values()].map(({ id, reference, shop_id: shopId, storefront_order_id: of }) => {
    const printOrder = { id, reference, shopifyFulfillmentOrderId: null };
    return { shopId, storefrontOrderId: of, printOrder };
  });
  await recordStepWaits(app, manager, waiting, { step: 'search', why, words, seconds: POLL_SECONDS, isExact: true });
}

/** Returns the IDs of the parts that the service has added to a part's order. */
function listAddedIds(part: OpenPart, shown: ReadonlyMap<string, FoundRecord>): string[] {
  const connected = shown.get(part.service_order_id)?.connectedOrderIds ?? [];
  return connected.filter((id) => !part.known_ids.includes(id));
}

/** Returns whether the service's status, payment state or parts differ from the known ones. */
function hasChanged(part: OpenPart, shown: ReadonlyMap<string, FoundRecord>): boolean {
  const record = shown.get(part.service_order_id);
  if (record === undefined) return false;
  if (listAddedIds(part, shown).some((id) => shown.has(id))) return true;
  return record.fulfillmentStatus !== part.status || (record.financialStatus === 'refused') !== part.is_refused;
}
