import { type EntityManager, In } from 'typeorm';
import { type OrderLine, OrderLines } from '../../database/entities/orders.ts';
import {
  type Deviation,
  Deviations,
  type PrintOrder,
  type PrintOrderLine,
  PrintOrderLines,
  PrintOrders,
  type SubmitAttempt,
  SubmitAttempts,
} from '../../database/entities/print-orders.ts';
import { findDeviation } from './deviations.ts';

/** A print order with the rows that the plan needs. */
export interface KnownPrint {
  printOrder: PrintOrder;
  lines: PrintOrderLine[];
  attempts: SubmitAttempt[];
  deviation: Deviation;
}

/** Platen's rows of one storefront order that the plan needs. */
export interface OwnRows {
  orderLines: OrderLine[];
  prints: KnownPrint[];
}

/** Reads Platen's rows of an order. The plan calls this function before it reads the store's order, and again in its transaction. */
export async function readOwnRows(manager: EntityManager, storefrontOrderId: string): Promise<OwnRows> {
  const orderLines = await manager.find(OrderLines, { where: { storefrontOrderId } });
  const printOrders = await manager.find(PrintOrders, { where: { storefrontOrderId }, order: { part: 'ASC' } });
  const ids = printOrders.map(({ id }) => id);
  const lines =
    ids.length > 0
      ? await manager.find(PrintOrderLines, { where: { printOrderId: In(ids) }, order: { id: 'ASC' } })
      : [];
  const attempts =
    ids.length > 0
      ? await manager.find(SubmitAttempts, { where: { printOrderId: In(ids) }, order: { attempt: 'ASC' } })
      : [];
  const deviations = ids.length > 0 ? await manager.findBy(Deviations, { printOrderId: In(ids) }) : [];
  const prints = printOrders.map((printOrder) => ({
    printOrder,
    lines: lines.filter((line) => line.printOrderId === printOrder.id),
    attempts: attempts.filter((attempt) => attempt.printOrderId === printOrder.id),
    deviation: findDeviation(deviations, printOrder.id),
  }));
  return { orderLines, prints };
}

/** Returns whether two readings of Platen's rows count the same printed units. */
export function areSameRows(a: OwnRows, b: OwnRows): boolean {
  const toSignature = (rows: OwnRows): string =>
    JSON.stringify(
      rows.prints.map(({ printOrder, lines }) => [
        printOrder.id,
        printOrder.closedAt,
        printOrder.fencedAt,
        printOrder.confirmStartedAt,
        printOrder.printAgainAt,
        lines.map(({ quantity, unitsAgain, printAgainAt }) => [quantity, unitsAgain, printAgainAt]),
      ]),
    );
  return toSignature(a) === toSignature(b);
}
