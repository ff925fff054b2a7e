import type { App } from '../../app.ts';
import type { StorefrontOrder } from '../../database/orders.ts';
import type { Shop } from '../../database/shops.ts';
import type { AdminApi } from '../../shopify/admin-api.ts';
import { ShopifyError } from '../../shopify/errors.ts';
import {
  acceptCancellationRequest,
  acceptFulfillmentRequest,
  rejectCancellationRequest,
  rejectFulfillmentRequest,
  submitFulfillmentRequest,
} from '../../shopify/fulfillment-requests.ts';
import type { Plan } from './plan.ts';
import { writeTimeline } from '../write-timeline.ts';

type Asking = Pick<Plan, 'requests' | 'accepts' | 'rejections' | 'cancellations'>;

/** A request or an answer that the store is to be given, and what the timeline says once it has it. */
interface Call {
  shopifyFulfillmentOrderId: string;
  kind: string;
  message: string;
  run: (admin: AdminApi, id: string) => Promise<unknown>;
}

/** Whether a plan has something to ask or to answer in the store, after which the order has to be read again. */
export function asksStore(plan: Asking): boolean {
  return toCalls(plan).length > 0;
}

/**
 * Submits the fulfilment requests that the plan names, accepts or rejects those that were made, and answers what was asked to be
 * cancelled (design, "Who asks"). What the store refuses because it changed meanwhile, or has already since an answer was lost, is no
 * fault: the order is read and planned again afterwards. Throws ShopifyError for the rest.
 */
export async function settleFulfillmentRequests(
  app: App,
  admin: AdminApi,
  { shop, storefrontOrder }: { shop: Shop; storefrontOrder: StorefrontOrder },
  plan: Asking,
): Promise<void> {
  for (const { shopifyFulfillmentOrderId, kind, message, run } of toCalls(plan)) {
    if (!(await unlessChanged(app, () => run(admin, shopifyFulfillmentOrderId)))) continue;
    const about = { shopId: shop.id, storefrontOrderId: storefrontOrder.id };
    await writeTimeline(app.db.manager, { ...about, kind, message, data: { shopifyFulfillmentOrderId } });
  }
}

function toCalls({ requests, accepts, rejections, cancellations }: Asking): Call[] {
  return [
    ...requests.map(({ shopifyFulfillmentOrderId }) => ({
      shopifyFulfillmentOrderId,
      kind: 'requested',
      message: 'Fulfilment is requested from Platen.',
      run: submitFulfillmentRequest,
    })),
    ...accepts.map((shopifyFulfillmentOrderId) => ({
      shopifyFulfillmentOrderId,
      kind: 'accepted',
      message: 'The fulfilment request is accepted.',
      run: acceptFulfillmentRequest,
    })),
    ...rejections.map(({ shopifyFulfillmentOrderId, reason, message }) => ({
      shopifyFulfillmentOrderId,
      kind: 'rejected',
      message: `The fulfilment request is rejected: ${message}`,
      run: (admin: AdminApi, id: string) => rejectFulfillmentRequest(admin, id, reason, message),
    })),
    ...cancellations.flatMap(({ shopifyFulfillmentOrderId, answer, message }) => {
      if (answer === 'wait') return [];
      const isAccepted = answer === 'accept';
      const reply = isAccepted ? acceptCancellationRequest : rejectCancellationRequest;
      return {
        shopifyFulfillmentOrderId,
        kind: isAccepted ? 'cancellation_accepted' : 'cancellation_rejected',
        message: `The fulfilment ${isAccepted ? 'is cancelled' : 'cannot be cancelled'}: ${message}`,
        run: (admin: AdminApi, id: string) => reply(admin, id, message),
      };
    }),
  ];
}

async function unlessChanged(app: App, call: () => Promise<unknown>): Promise<boolean> {
  try {
    await call();
    return true;
  } catch (error) {
    if (!(error instanceof ShopifyError) || error.kind !== 'user_error') throw error;
    app.log.info({ operation: error.operation }, 'the fulfillment order changed meanwhile');
    return false;
  }
}
