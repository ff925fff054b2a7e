import type { EntityManager } from 'typeorm';
import type { App } from '../../app.ts';
import { SPACES } from '../../database/find-print-links.ts';
import { BULK } from '../../jobs/priorities.ts';
import type { UnlinkedDecision } from '../../jobs/tasks.ts';
import { enqueuePlan } from '../enqueue/enqueue-plan.ts';
import { lockOrders } from '../rows/lock-orders.ts';
import { writeTimeline } from '../record/write-timeline.ts';
import { IS_LINE_SELECTED } from './settle-unlinked-lines.ts';
import { isLinkedSql, LEFT_TO_MERCHANT, unlinkedLinesSql } from './unlinked-lines-sql.ts';

/** Orders per query, and orders per transaction. */
const FOUND = 5_000;
const PAGE = 200;

const TIMELINE_ENTRIES: Record<
  UnlinkedDecision['word'],
  { kind: string; message: string; decision: string; reason: string | null }
> = {
  print: {
    kind: 'print_unlinked',
    message: 'The product is now linked. Units that were ordered before it was linked are printed.',
    decision: 'held',
    reason: null,
  },
  leave: {
    kind: 'leave_unlinked',
    message: 'Units that were ordered before the product was linked are left for the merchant to ship.',
    decision: 'not_ours',
    reason: 'declined',
  },
};

/**
 * Applies the merchant's decision to lines that were not linked, one page of orders at a time. Plans these orders with a lower priority
 * than new orders. Resets the decision about lines to print, as "retry" does, so that the plan decides about these lines again and counts
 * each unit once.
 */
export async function releaseUnlinkedLines(app: App, shopId: number, word: UnlinkedDecision): Promise<void> {
  const { shopifyVariantId = null, sku = null } = word;
  const needsLink = word.word === 'print' || (shopifyVariantId === null && sku === null);
  const selected = [shopId, SPACES, shopifyVariantId, sku, needsLink];
  for (let after = '0'; ;) {
    const found: { id: string }[] = await app.db.query(ORDERS, [...selected, after, FOUND]);
    const ids = found.map(({ id }) => id);
    for (let start = 0; start < ids.length; start += PAGE) {
      const page = ids.slice(start, start + PAGE);
      await app.db.transaction((manager) => releasePage(manager, { shopId, word, selected, page }));
    }
    const last = ids.at(-1);
    if (last === undefined || ids.length < FOUND) return;
    after = last;
  }
}

interface Page {
  shopId: number;
  word: UnlinkedDecision;
  /** The first parameters of the SQL statements. */
  selected: unknown[];
  /** The order IDs. */
  page: string[];
}

async function releasePage(manager: EntityManager, { shopId, word, selected, page }: Page): Promise<void> {
  // Without the lock, a plan that is written at the same time could undo this decision.
  await lockOrders(manager, page);
  const { kind, message, decision, reason } = TIMELINE_ENTRIES[word.word];
  const [changed]: [{ id: string }[], number] = await manager.query(RELEASE, [...selected, page, decision, reason]);
  for (const storefrontOrderId of new Set(changed.map(({ id }) => id))) {
    await writeTimeline(manager, { shopId, storefrontOrderId, kind, message, by: word.by });
    await enqueuePlan(manager, storefrontOrderId, undefined, BULK);
  }
}

const ORDERS = `
  ${unlinkedLinesSql('$2')}
  select distinct storefront_order_id as id
  from u
  where ${IS_LINE_SELECTED} and storefront_order_id > $6 order by 1 limit $7`;

const RELEASE = `
  update order_lines l set decision = $7, reason = $8
  where l.storefront_order_id = any($6::bigint[]) and (l.reason = 'not_linked' or ${LEFT_TO_MERCHANT})
    and exists (select from (
      select l.shopify_variant_id, btrim(l.sku, $2) as sku, ${isLinkedSql('l', '$2')} as linked) u where ${IS_LINE_SELECTED})
  returning l.storefront_order_id as id`;
