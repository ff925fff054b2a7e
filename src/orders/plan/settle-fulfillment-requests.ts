import type { App } from '../../app.ts';
import type { StorefrontOrder } from '../../database/entities/orders.ts';
import type { Shop } from '../../database/entities/shops.ts';
import type { AdminApi } from '../../shopify/admin/admin-api.ts';
import { ShopifyError } from '../../shopify/admin/errors.ts';
import type { ReturnedOrder } from '../../shopify/calls/orders.ts';
import {
  acceptCancellationRequest,
  acceptFulfillmentRequest,
  rejectCancellationRequest,
  rejectFulfillmentRequest,
  requestFulfillment,
} from '../../shopify/calls/fulfillment-requests.ts';
import type { Plan } from './decide/plan.ts';
import type { NewTimelineEntry } from '../record/write-timeline.ts';

type PlannedCalls = Pick<Plan, 'requests' | 'accepts' | 'rejections' | 'cancellations'>;

/** A timeline entry for a call that the store accepted. */
interface Entry {
  kind: string;
  message: string;
}

/** The timeline entries for accepted calls, and the order as the store returned it. `order` is null if the order must be read. */
interface AcceptedCall {
  entries: Entry[];
  order: ReturnedOrder | null;
}

/** A request or an answer to send to the store. */
interface Call {
  shopifyFulfillmentOrderId: string;
  run: (admin: AdminApi, id: string) => Promise<AcceptedCall>;
}

const REQUESTED: Entry = { kind: 'requested', message: 'Fulfillment was requested from Platen.' };
const ACCEPTED: Entry = { kind: 'accepted', message: 'The fulfillment request was accepted.' };

/** Returns whether a plan has requests or answers to send to the store. After they are sent, the order must be read again. */
export function hasStoreCalls(plan: PlannedCalls): boolean {
  return toCalls(plan).length > 0;
}

/**
 * Submits the plan's fulfillment requests, accepts or rejects existing requests and answers cancellation requests
 * (docs/rules/planning.md#fulfillment-requests). A refusal by the store is not an error if the order has changed or if an earlier request
 * took effect but its response was lost. Returns the order from the last response, or null if the order must be read. Adds timeline entries
 * to `entries`. Throws ShopifyError for other failures.
 */
export async function settleFulfillmentRequests(
  app: App,
  admin: AdminApi,
  { shop, storefrontOrder }: { shop: Shop; storefrontOrder: StorefrontOrder },
  plan: PlannedCalls,
  entries: NewTimelineEntry[],
): Promise<ReturnedOrder | null> {
  let answer: ReturnedOrder | null = null;
  for (const { shopifyFulfillmentOrderId, run } of toCalls(plan)) {
    const taken = await callUnlessChanged(app, () => run(admin, shopifyFulfillmentOrderId));
    answer = taken?.order ?? null;
    const about = { shopId: shop.id, storefrontOrderId: storefrontOrder.id, data: { shopifyFulfillmentOrderId } };
    entries.push(...(taken?.entries ?? []).map((entry) => ({ ...about, ...entry })));
  }
  return answer;
}

function toCalls({ requests, accepts, rejections, cancellations }: PlannedCalls): Call[] {
  return [
    ...requests.map(({ shopifyFulfillmentOrderId }) => ({
      shopifyFulfillmentOrderId,
      run: requestAndAccept,
    })),
    ...accepts.map((shopifyFulfillmentOrderId) => ({
      shopifyFulfillmentOrderId,
      run: async (admin: AdminApi, id: string) => ({
        entries: [ACCEPTED],
        order: await acceptFulfillmentRequest(admin, id),
      }),
    })),
    ...rejections.map(({ shopifyFulfillmentOrderId, reason, message }) => ({
      shopifyFulfillmentOrderId,
      run: async (admin: AdminApi, id: string) => {
        await rejectFulfillmentRequest(admin, id, reason, message);
        return withoutOrder({ kind: 'rejected', message: `The fulfillment request was rejected: ${message}` });
      },
    })),
    ...cancellations.flatMap(({ shopifyFulfillmentOrderId, answer, message }) => {
      if (answer === 'wait') return [];
      const isAccepted = answer === 'accept';
      const reply = isAccepted ? acceptCancellationRequest : rejectCancellationRequest;
      return {
        shopifyFulfillmentOrderId,
        run: async (admin: AdminApi, id: string) => {
          await reply(admin, id, message);
          return withoutOrder({
            kind: isAccepted ? 'cancellation_accepted' : 'cancellation_rejected',
            message: `The fulfillment ${isAccepted ? 'was canceled' : 'cannot be canceled'}: ${message}`,
          });
        },
      };
    }),
  ];
}

async function requestAndAccept(admin: AdminApi, id: string): Promise<AcceptedCall> {
  const { isSubmitted, isAccepted, order } = await requestFulfillment(admin, id);
  return { entries: [...(isSubmitted ? [REQUESTED] : []), ...(isAccepted ? [ACCEPTED] : [])], order };
}

function withoutOrder(entry: Entry): AcceptedCall {
  return { entries: [entry], order: null };
}

async function callUnlessChanged(app: App, call: () => Promise<AcceptedCall>): Promise<AcceptedCall | null> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof ShopifyError) || error.kind !== 'user_error') throw error;
    app.log.info({ operation: error.operation }, 'the fulfillment order has since changed');
    return null;
  }
}
