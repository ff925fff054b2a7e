import type { AdminApi } from '../admin/admin-api.ts';
import { ShopifyError } from '../admin/errors.ts';
import {
  CreateFulfillmentDocument,
  FulfillmentLineItemsDocument,
  UpdateFulfillmentTrackingDocument,
} from '../generated/operations.ts';
import type {
  FulfillmentDetailsFragment,
  FulfillmentInput,
  FulfillmentLineFragment,
  FulfillmentTrackingInput,
} from '../generated/operations.ts';
import { readAll } from '../admin/read-pages.ts';

/** Lines that were shipped together, with all their tracking codes. */
export type Fulfillment = Omit<FulfillmentDetailsFragment, 'fulfillmentLineItems'> & {
  lines: FulfillmentLineFragment[];
};

/**
 * Creates a fulfillment. Makes a single attempt, because the call has no idempotency key. After a ShopifyError with effect `unknown`,
 * read the fulfillments before trying again. `notifyCustomer` notifies the buyer.
 */
export async function createFulfillment(admin: AdminApi, fulfillment: FulfillmentInput): Promise<Fulfillment> {
  const { fulfillmentCreate } = await admin.request(CreateFulfillmentDocument, { fulfillment });
  return toFulfillment(admin, CreateFulfillmentDocument.name, fulfillmentCreate?.fulfillment);
}

/** Replaces a fulfillment's tracking codes. Repeating the same codes changes nothing. `notifyCustomer` notifies the buyer. */
export async function updateFulfillmentTracking(
  admin: AdminApi,
  fulfillmentId: string,
  trackingInfoInput: FulfillmentTrackingInput,
  { notifyCustomer }: { notifyCustomer: boolean },
): Promise<Fulfillment> {
  const variables = { fulfillmentId, trackingInfoInput, notifyCustomer };
  const { fulfillmentTrackingInfoUpdate } = await admin.request(UpdateFulfillmentTrackingDocument, variables);
  return toFulfillment(admin, UpdateFulfillmentTrackingDocument.name, fulfillmentTrackingInfoUpdate?.fulfillment);
}

/** Returns a fulfillment with all its lines, including those on further pages. The lines never change after the fulfillment is created. */
export async function readCompleteFulfillment(
  admin: AdminApi,
  details: FulfillmentDetailsFragment,
): Promise<Fulfillment> {
  const { fulfillmentLineItems, ...rest } = details;
  const lines = await readAll(FulfillmentLineItemsDocument.name, fulfillmentLineItems, async (after) => {
    const { fulfillment } = await admin.request(FulfillmentLineItemsDocument, { id: details.id, after });
    return fulfillment?.fulfillmentLineItems ?? null;
  });
  return { ...rest, lines };
}

/** Throws an error with unknown effect for a 200 response that has neither validation errors nor a fulfillment. */
async function toFulfillment(
  admin: AdminApi,
  operation: string,
  details: FulfillmentDetailsFragment | null | undefined,
): Promise<Fulfillment> {
  if (!details) throw new ShopifyError('unavailable', { operation, effect: 'unknown', status: 200 });
  return readCompleteFulfillment(admin, details);
}
