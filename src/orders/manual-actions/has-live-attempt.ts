import { In, IsNull, Not, type EntityManager } from 'typeorm';
import { SubmitAttempts } from '../../database/entities/print-orders.ts';
import { HARMLESS_OUTCOMES } from '../facts/print-order-predicates.ts';

/** Returns whether a create request for this print order may have taken effect. */
export async function hasLiveAttempt(manager: EntityManager, printOrderId: string): Promise<boolean> {
  return manager.existsBy(SubmitAttempts, [
    { printOrderId, outcome: IsNull() },
    { printOrderId, outcome: Not(In(HARMLESS_OUTCOMES)) },
  ]);
}
