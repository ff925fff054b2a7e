import type { App } from '../../app.ts';
import { levelOf } from '../../log.ts';
import { PlatenError } from '../../errors.ts';
import type { PassResult } from '../../jobs/tasks.ts';
import { openPrintPort } from '../../shops/print-account/print-account.ts';
import { enqueueSubmit } from '../enqueue/enqueue-submit.ts';
import { isDraft } from '../facts/found-orders.ts';
import { isActiveSql } from '../../database/is-active.ts';

const CURRENT = { printInterface: 'current', legacyHost: 'live', extendedCalls: false } as const;
/** Maximum number of IDs in one search, so that its result has one page. */
const PAGE = 100;

interface WaitingDraft {
  id: string;
  storefrontOrderId: string;
  printAccountId: number;
  serviceOrderId: string;
}

/**
 * Finds drafts that were left or held at the print service and that someone has since released or removed there. Enqueues their next step.
 * Confirms nothing. An account that does not respond or cannot be opened is skipped for the rest of the pass.
 */
export async function catchUpLeftDrafts(app: App): Promise<PassResult> {
  let found = 0;
  const failed = new Map<number, string>();
  for (let after: Pick<WaitingDraft, 'printAccountId' | 'id'> = { printAccountId: 0, id: '0' }; ;) {
    const drafts: WaitingDraft[] = await app.db.query(WAITING, [after.printAccountId, after.id, PAGE]);
    for (const [accountId, ofAccount] of Map.groupBy(drafts, ({ printAccountId }) => printAccountId)) {
      if (failed.has(accountId)) continue;
      const { moved, error } = await compareDrafts(app, accountId, ofAccount);
      found += moved;
      if (error !== null) failed.set(accountId, error);
    }
    const last = drafts.at(-1);
    const [error = null] = failed.values();
    if (!last || drafts.length < PAGE) return { found, fixed: found, error };
    after = last;
  }
}

const WAITING = `
  select p.id, p.storefront_order_id as "storefrontOrderId", p.print_account_id as "printAccountId", p.service_order_id as "serviceOrderId"
  from print_orders p join shops on shops.id = p.shop_id and ${isActiveSql('shops')}
  where (p.print_account_id, p.id) > ($1, $2) and p.print_interface = 'current' and p.submit_way = 'draft' and p.service_order_id is not null
    and p.confirmed_at is null and p.closed_at is null and p.fenced_at is null and p.cancel_requested_at is null
    and (p.state = 'held' or (p.state = 'submitting' and p.is_left_as_draft))
    and not exists (select from holds h where h.print_order_id = p.id and h.code = 'draft_gone' and h.resolved_at is null)
  order by p.print_account_id, p.id limit $3`;

/**
 * Enqueues the next step of an account's drafts that were released or removed, and counts them. `error`: the error code if the account does
 * not respond or cannot be opened.
 */
async function compareDrafts(
  app: App,
  accountId: number,
  drafts: readonly WaitingDraft[],
): Promise<{ moved: number; error: string | null }> {
  const stillDrafts = new Set<string>();
  try {
    const { port } = await openPrintPort(app, accountId, CURRENT);
    for await (const record of port.findAll({ ids: drafts.map(({ serviceOrderId }) => serviceOrderId) }))
      if (isDraft(record)) stillDrafts.add(record.id);
  } catch (error) {
    if (!(error instanceof PlatenError)) throw error;
    app.log[levelOf(error)]({ accountId, error }, 'the poll of waiting drafts failed for an account');
    return { moved: 0, error: error.code };
  }
  const moved = drafts.filter(({ serviceOrderId }) => !stillDrafts.has(serviceOrderId));
  for (const draft of moved) await enqueueSubmit(app.db.manager, draft);
  return { moved: moved.length, error: null };
}
