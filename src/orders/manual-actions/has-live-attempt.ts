import { In, IsNull, Not, type EntityManager } from 'typeorm';
import { SubmitAttempts } from '../../database/entities/print-orders.ts';

/** Returns whether a create request for this print order may have taken effect. */
export async function hasLiveAttempt(manager: EntityManager, printOrderId: string): Promise<boolean> {
  const harmless = In(['refused', 'account_refused', 'nothing_made', 'absent'] as const);
  return manager.existsBy(SubmitAttempts, [
    { printOrderId, outcome: IsNull() },
    { printOrderId, outcome: Not(harmless) },
  ]);
}
