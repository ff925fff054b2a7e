import { In } from 'typeorm';
import { TimelineEntries } from '../../database/entities/orders.ts';
import { UNFULFILLED_STATUSES, locationOf } from '../facts/store-quantities.ts';
import { writeTimeline } from '../record/write-timeline.ts';
import type { PlanScope } from './plan-scope.ts';

/**
 * The kinds of timeline entries for each type of request. The first kind is for a waiting request, and the others are for the answer to it.
 */
const KINDS = {
  request: ['request_waits', 'accepted', 'rejected'],
  cancellation: ['cancellation_waits', 'cancellation_accepted', 'cancellation_rejected'],
} as const;

/**
 * Records, only once, each request from the store that this plan does not answer yet. From this timeline entry, the home page
 * measures how long Platen took to answer. Runs no query if no request is waiting.
 */
export async function recordWaitingRequests({
  manager,
  shop,
  storefrontOrder,
  reading,
  plan,
}: Pick<PlanScope, 'manager' | 'shop' | 'storefrontOrder' | 'reading' | 'plan'>): Promise<void> {
  const answered = new Set([...plan.accepts, ...plan.rejections.map((one) => one.shopifyFulfillmentOrderId)]);
  const requests = reading.fulfillmentOrders.filter(
    (one) =>
      one.requestStatus === 'SUBMITTED' &&
      UNFULFILLED_STATUSES.has(one.status) &&
      locationOf(one, shop.locationId) === 'ours' &&
      !answered.has(one.id),
  );
  const cancellations = plan.cancellations.filter(({ answer }) => answer === 'wait');
  const waiting = [
    ...requests.map(({ id }) => ({
      of: 'request' as const,
      id,
      message: 'Fulfillment was requested in the store. Platen answers once the order may be printed.',
    })),
    ...cancellations.map(({ shopifyFulfillmentOrderId: id, message }) => ({
      of: 'cancellation' as const,
      id,
      message: `Cancellation of the fulfillment was requested in the store. ${message}`,
    })),
  ];
  if (waiting.length === 0) return;
  const about = { shopId: shop.id, storefrontOrderId: storefrontOrder.id };
  const kind = In([...KINDS.request, ...KINDS.cancellation]);
  const entries = await manager.find(TimelineEntries, {
    where: { storefrontOrderId: about.storefrontOrderId, kind },
    order: { id: 'ASC' },
  });
  for (const { of, id, message } of waiting) {
    const [waits, ...answers] = KINDS[of];
    const kinds: readonly string[] = [waits, ...answers];
    const last = entries.findLast(
      (entry) => kinds.includes(entry.kind) && entry.data['shopifyFulfillmentOrderId'] === id,
    );
    if (last?.kind === waits) continue;
    await writeTimeline(manager, { ...about, kind: waits, message, data: { shopifyFulfillmentOrderId: id } });
  }
}
