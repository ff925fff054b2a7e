import { toDueTriggers } from '../orders/store-view/to-due-triggers.ts';
import { readWrittenValues } from '../orders/store-view/written-values.ts';
import { ShopifyError } from '../shopify/admin/errors.ts';
import { sendFlowTrigger } from '../shopify/calls/flow-triggers.ts';
import { saveWrittenValues } from './save-written-values.ts';
import type { UpdateScope } from './update-scope.ts';

/**
 * Sends the triggers that start the shop's workflows in Shopify Flow, and records each one. Flow accepts no idempotency key, so a trigger
 * is sent again if its response is lost or the process dies before recording it. A second email is better than none. A refused trigger does
 * not block the others. Throws ShopifyError.
 */
export async function sendTriggers(scope: UpdateScope): Promise<void> {
  let refusal: ShopifyError | null = null;
  for (const { handle, causes, payload } of toDueTriggers(scope)) {
    try {
      await sendFlowTrigger(await scope.admin(), handle, payload);
    } catch (error) {
      if (!(error instanceof ShopifyError) || error.kind !== 'user_error') throw error;
      refusal = error;
      continue;
    }
    const { flow = [] } = readWrittenValues(scope.storefrontOrder);
    await saveWrittenValues(scope, { flow: [...flow, ...causes] });
  }
  if (refusal) throw refusal;
}
