import type { Api } from '@shopify/ui-extensions/admin.order-index.selection-action.render';
import type { ManualActionResult } from '../../../src/orders/manual-actions/perform-manual-action.ts';
import type { Action } from '../../../src/orders/manual-actions/hold-actions.ts';
import { ApiError, callApi } from '../../shared/call-api.ts';

/** The result of an action on one order. */
export interface Result {
  order: string;
  name: string;
  text: string;
  /** `warning` if the action was done, but the order stays on hold. */
  tone: 'success' | 'warning' | 'critical';
}

/** Performs an action on each order in turn. If the action fails for one order, the remaining orders are still processed. */
export async function actOnOrders(
  orders: readonly string[],
  action: Action,
  { i18n, onResult }: { i18n: Api['i18n']; onResult: (result: Result) => void },
): Promise<void> {
  for (const order of orders) onResult(await actOnOrder(order, action, i18n));
}

async function actOnOrder(order: string, action: Action, { translate }: Api['i18n']): Promise<Result> {
  try {
    const language = translate('language');
    const { name, done, stillHeld } = await callApi<ManualActionResult>('POST', `/api/orders/${order}/${action}`, {
      language,
      body: {},
    });
    if (stillHeld.length === 0) return { order, name, text: done.join(' '), tone: 'success' };
    return { order, name, text: translate('stillHeld', { why: stillHeld.join(' ') }), tone: 'warning' };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const name = translate('order', { order });
    if (error.status === 404) return { order, name, text: translate('notPrinted'), tone: 'critical' };
    return { order, name, text: error.message || translate('failed'), tone: 'critical' };
  }
}
