import { In, IsNull, Not, type EntityManager } from 'typeorm';
import { SubmitAttempts } from '../../database/entities/print-orders.ts';

/** Whether a create of this print order may have had an effect. */
export async function hasLiveAttempt(manager: EntityManager, printOrderId: string): Promise<boolean> {
  const harmless = In(['refused', 'account_refused', 'nothing_made', 'absent'] as const);
  return manager.existsBy(SubmitAttempts, [
    { printOrderId, outcome: IsNull() },
    { printOrderId, outcome: Not(harmless) },
  ]);
}
