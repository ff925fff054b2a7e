import type { Action } from '../../../orders/manual-actions/hold-actions.ts';
import type { OfferedShipping } from '../../../orders/manual-actions/changes/offer-shipping.ts';
import type { ShownStorefrontOrder } from '../../../orders/manual-actions/show-order.ts';
import { ApiError, callApi } from '../../api.ts';
import { toNumericId, formatMoney } from '../../format.ts';
import { texts } from '../../texts/texts.ts';

/** The maximum number of orders whose cost is read, because each of them may need a quote. */
const MAX_ORDERS = 10;

interface Money {
  total: string;
  currency: string;
}

/**
 * Returns a sentence about an action's cost for its dialog. For an approval, this is the print service's current quote or the draft's
 * quote. For a reprint, it is the print order's cost so far, or its quote. Returns null if the cost is unknown or if the action costs
 * nothing.
 */
export async function describeCost(
  order: ShownStorefrontOrder,
  action: Action,
  reference: string | null,
): Promise<string | null> {
  const charged = order.printOrders.find((printOrder) => printOrder.reference === reference)?.costs?.charged ?? null;
  if (action === 'print-again' && charged !== null)
    return texts.order.costsSoFar(formatMoney(charged.total, charged.currency));
  if (action !== 'print-again' && action !== 'approve') return null;
  const amounts = toQuotedAmounts(order, reference) ?? (action === 'approve' ? await readQuote(order) : null);
  return amounts === null || amounts.length === 0 ? null : texts.order.quoted(formatSum(amounts));
}

/** Returns the sentence of `describeCost` for an order that the page has not loaded. Null also if the order cannot be read. */
export async function readOrderAndDescribeCost(
  orderId: string,
  action: Action,
  reference: string | null,
): Promise<string | null> {
  if (action !== 'print-again' && action !== 'approve') return null;
  try {
    const order = await callApi<ShownStorefrontOrder>('GET', `/api/orders/${toNumericId(orderId)}`);
    return await describeCost(order, action, reference);
  } catch (error) {
    // The dialog is useful without the cost, so a failed request is ignored.
    if (error instanceof ApiError) return null;
    throw error;
  }
}

/**
 * Returns a sentence about the total cost of approving several orders, and about the orders whose cost is unknown. Returns null if the
 * approval costs nothing.
 */
export async function describeTotalCost(orderIds: readonly string[]): Promise<string | null> {
  const read = await Promise.all(orderIds.slice(0, MAX_ORDERS).map(readApprovalCost));
  const known = read.filter((amounts) => amounts !== null && amounts.length > 0) as Money[][];
  const unknown = read.filter((amounts) => amounts === null).length + Math.max(0, orderIds.length - MAX_ORDERS);
  const { quotedForAll, quotedForSome, unknownCost } = texts.orders;
  if (known.length === 0) return unknown === 0 ? null : unknownCost(unknown);
  const sum = formatSum(known.flat());
  return unknown === 0 ? quotedForAll(sum) : `${quotedForSome(sum, known.length)} ${unknownCost(unknown)}`;
}

/** Returns the cost of approving an order: an empty list if there is nothing to approve, or null if the cost is unknown. */
async function readApprovalCost(orderId: string): Promise<Money[] | null> {
  try {
    const order = await callApi<ShownStorefrontOrder>('GET', `/api/orders/${toNumericId(orderId)}`);
    const waiting = order.holds.filter(({ actions }) => actions.includes('approve'));
    const drafts = waiting
      .filter(({ reference }) => reference !== null)
      .map((hold) => toQuotedAmounts(order, hold.reference));
    const rest = order.canChange.shipping ? [await readQuote(order)] : [];
    const parts = [...drafts, ...rest];
    if (parts.length === 0 && waiting.length > 0) return null;
    return parts.includes(null) ? null : parts.flatMap((part) => part ?? []);
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}

/** Returns the quote of a print order, or null if it has none yet. */
function toQuotedAmounts({ printOrders }: ShownStorefrontOrder, reference: string | null): Money[] | null {
  const quoted = printOrders.find((printOrder) => printOrder.reference === reference)?.costs?.quoted ?? null;
  return typeof quoted?.total === 'string' ? [{ total: quoted.total, currency: quoted.currency }] : null;
}

/** Returns the print service's current quotes for the unsent parts of an order, or null if a cost is unknown. */
async function readQuote({ orderId, canChange }: ShownStorefrontOrder): Promise<Money[] | null> {
  if (!canChange.shipping) return null;
  try {
    const { parts } = await callApi<OfferedShipping>('GET', `/api/orders/${toNumericId(orderId)}/shipping`);
    const amounts = parts.flatMap(({ cost }) =>
      typeof cost?.total === 'string' ? [{ total: cost.total, currency: cost.currency }] : [],
    );
    return amounts.length === 0 || amounts.length < parts.length ? null : amounts;
  } catch (error) {
    // The dialog is useful without the cost, so a failed request is ignored.
    if (error instanceof ApiError) return null;
    throw error;
  }
}

/** Formats the sum of amounts, with one sum for each currency. */
function formatSum(amounts: readonly Money[]): string {
  return [...Map.groupBy(amounts, ({ currency }) => currency)]
    .map(([currency, same]) =>
      formatMoney(same.reduce((sum, { total }) => sum + Number(total), 0).toFixed(2), currency),
    )
    .join(' + ');
}
