import { orderAmounts, toAmount } from './amounts.ts';
import { toNumericId } from '../graphql/gid.ts';
import type { Order } from '../state.ts';
import { dateTime, moneyBag, notModeledError, type View } from '../graphql/view.ts';

const PAID = ['PAID', 'PARTIALLY_REFUNDED', 'REFUNDED'];

interface TransactionsArguments {
  first?: number | null;
  capturable?: boolean | null;
  manuallyResolvable?: boolean | null;
}

/** GraphQL's Order.transactions: the payment of the whole order, without refunds. */
export function transactionsView(
  order: Order,
  { first, capturable, manuallyResolvable }: TransactionsArguments,
): View[] {
  if (capturable || manuallyResolvable) throw notModeledError('a filter in Order.transactions');
  if (!PAID.includes(order.financialStatus)) return [];
  const at = dateTime(order.paidAt ?? order.processedAt);
  const { currencyCode, presentmentCurrencyCode } = order;
  const payment = {
    __typename: 'OrderTransaction',
    id: `gid://shopify/OrderTransaction/${toNumericId(order.id)}`,
    kind: 'SALE',
    status: 'SUCCESS',
    test: order.test,
    gateway: 'bogus',
    createdAt: at,
    processedAt: at,
    amountSet: moneyBag(toAmount(orderAmounts(order).total), currencyCode, presentmentCurrencyCode),
  };
  return [payment].slice(0, first ?? undefined);
}
