import type { PlannedLine } from './decide/plan.ts';
import type { PlanScope } from './plan-scope.ts';
import { writeTimeline } from '../record/write-timeline.ts';

/** The reasons why Platen does not print a line, in sentences for the merchant. The keys are the reasons in `decide-line.ts`. */
const WHY: Readonly<Record<string, string>> = {
  gift_card: 'a gift card',
  custom_line: 'a custom line',
  needs_no_shipping: 'needs no shipping',
  ignored: 'marked as not printed at the print service',
  not_printed: 'not linked to a print product',
  own: 'you ship this product yourself',
  declined: 'left to you, although it has a print link',
};
const MAX_LINES = 20;

/**
 * Records in the timeline that the order was received and, once, which lines Platen does not print and why. The arrival is recorded here
 * because webhooks do not contain the order's name. Must run before the plan's lines are written.
 */
export async function recordUnprintedLines({ manager, shop, storefrontOrder, plan, rows }: PlanScope): Promise<void> {
  const { id: storefrontOrderId, name } = storefrontOrder;
  if (storefrontOrder.readAt === null) {
    const message = `Order ${name} was received.`;
    const data = { shopifyOrderId: storefrontOrder.shopifyOrderId };
    await writeTimeline(manager, { shopId: shop.id, storefrontOrderId, kind: 'received', message, data });
  }
  const known = new Set(
    rows.orderLines.filter(({ decision }) => decision === 'not_ours').map((line) => line.shopifyLineItemId),
  );
  const added = plan.lines.filter((line) => line.decision === 'not_ours' && !known.has(line.shopifyLineItemId));
  if (added.length === 0) return;
  const named = added.slice(0, MAX_LINES).map(describeLine).join(', ');
  const left = added.length - MAX_LINES;
  const more = left > 0 ? ` and ${left} more ${left === 1 ? 'line' : 'lines'}` : '';
  const data = {
    lines: added.slice(0, MAX_LINES).map(({ shopifyLineItemId, reason }) => ({ shopifyLineItemId, reason })),
  };
  const entry = { shopId: shop.id, storefrontOrderId, kind: 'not_ours', data };
  await writeTimeline(manager, { ...entry, message: `Not printed by Platen: ${named}${more}.` });
}

function describeLine({ sku, orderedQuantity, reason }: PlannedLine): string {
  return `${orderedQuantity} of ${sku || 'a line without a SKU'} (${WHY[reason ?? ''] ?? reason})`;
}
