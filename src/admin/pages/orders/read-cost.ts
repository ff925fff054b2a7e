import type { Action } from '../../../orders/by-hand/hold-actions.ts';
import type { OfferedShipping } from '../../../orders/by-hand/changes/offer-shipping.ts';
import type { ShownStorefrontOrder } from '../../../orders/by-hand/show-order.ts';
import { ApiError, call } from '../../api.ts';
import { digitsOf, formatMoney } from '../../format.ts';
import { texts } from '../../texts/texts.ts';

/**
 * Returns a sentence about an action's cost for its dialog. For an approval, this is the print service's current quote or the draft's
 * quote. For a reprint, it is what the print order has cost so far, or its quote. Returns null if the cost is unknown or if the action
 * costs nothing.
 */
export async function readCost(
  { orderId, canChange, printOrders }: ShownStorefrontOrder,
  action: Action,
  reference: string | null,
): Promise<string | null> {
  const known = printOrders.find((printOrder) => printOrder.reference === reference)?.costs;
  const { charged = null, quoted = null } = known ?? {};
  if (action === 'print-again' && charged !== null)
    return texts.order.costsSoFar(formatMoney(charged.total, charged.currency));
  if (action !== 'print-again' && action !== 'approve') return null;
  if (typeof quoted?.total === 'string') return texts.order.quoted(formatMoney(quoted.total, quoted.currency));
  return action === 'approve' && canChange.shipping ? readQuote(orderId) : null;
}

async function readQuote(orderId: string): Promise<string | null> {
  try {
    const { parts } = await call<OfferedShipping>('GET', `/api/orders/${digitsOf(orderId)}/shipping`);
    const amounts = parts.map(({ cost }) =>
      typeof cost?.total === 'string' ? formatMoney(cost.total, cost.currency) : null,
    );
    return amounts.length === 0 || amounts.includes(null) ? null : texts.order.quoted(amounts.join(' + '));
  } catch (error) {
    // The dialog is useful without the cost, so a failed request is ignored.
    if (error instanceof ApiError) return null;
    throw error;
  }
}
