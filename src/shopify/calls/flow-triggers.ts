import type { AdminApi } from '../admin/admin-api.ts';
import { SendFlowTriggerDocument } from '../generated/operations.ts';

/**
 * Starts the shop's workflows in Shopify Flow that begin with one of the app's triggers. Not safe to repeat, because each call starts the
 * workflows again. Needs no scope. Throws ShopifyError.
 */
export async function sendFlowTrigger(
  admin: AdminApi,
  handle: string,
  payload: Record<string, string | number>,
): Promise<void> {
  await admin.request(SendFlowTriggerDocument, { handle, payload });
}
