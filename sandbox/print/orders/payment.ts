import type Router from '@koa/router';
import { z } from 'zod';
import { jsonOf } from '../../json-body.ts';
import { parseOrRefuse } from '../../refusal.ts';
import { toTimestamp, type OrderRecord } from './order-record.ts';
import { allOrders, type StandIn } from '../stand-in.ts';

const paymentSchema = z.strictObject({ key: z.string().min(1).default('sandbox-key'), refused: z.boolean() });

const TABLE = 'payments';

/**
 * Adds `POST /_control/payment`, which sets whether an account's payments are refused. While payments are refused, orders that the account
 * creates or confirms are accepted with the financial status `refused` but are not printed. When payments are accepted again, these orders
 * are paid and their production starts.
 */
export function addPaymentEndpoint(router: Router, standIn: StandIn): void {
  const { books } = standIn;
  router.post('/payment', (ctx) => {
    const { key, refused } = parseOrRefuse(paymentSchema, jsonOf(ctx));
    if (refused) books.put(TABLE, key, key);
    else {
      const paid = allOrders(standIn).filter((record) => record.account === key && isUnpaid(record));
      books.write([
        ['delete', TABLE, key],
        ...paid.map((record) => ['put', 'orders', record.order.id, toPaid(standIn, record)] as const),
      ]);
    }
    ctx.body = { refused: books.all<string>(TABLE) };
  });
}

/** Accepts the payments of every account again. */
export function clearPayments({ books }: StandIn): void {
  books.clear(TABLE);
}

/** Charges a new order. Its financial status is `refused` if the account's payments are refused. A draft is not charged. */
export function chargeOrder(standIn: StandIn, record: OrderRecord): OrderRecord {
  const isRefused = record.order.orderType === 'order' && standIn.books.get(TABLE, record.account) !== undefined;
  return isRefused ? withFinancialStatus(standIn, record, 'refused') : record;
}

/** Returns whether an order is waiting for payment and has not been printed yet. */
export function isUnpaid({ order, deleted }: OrderRecord): boolean {
  return !deleted && order.financialStatus === 'refused';
}

/** Changes the financial status of an order. */
export function withFinancialStatus({ clock }: StandIn, record: OrderRecord, financialStatus: string): OrderRecord {
  return { ...record, order: { ...record.order, financialStatus, updatedAt: toTimestamp(clock.now().getTime()) } };
}

function toPaid(standIn: StandIn, record: OrderRecord): OrderRecord {
  return { ...withFinancialStatus(standIn, record, 'pending'), movedMs: standIn.clock.now().getTime() };
}
