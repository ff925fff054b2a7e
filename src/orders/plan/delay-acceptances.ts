import { IsNull, type EntityManager } from 'typeorm';
import { Holds, type StorefrontOrder } from '../../database/entities/orders.ts';
import type { HoldCode } from '../facts/hold-codes.ts';
import type { Plan } from './decide/plan.ts';

/**
 * Delays the acceptance of cancellation requests until no hold for an unknown print order is open
 * (docs/rules/created-once.md#cancellation).
 */
export async function delayAcceptances(
  manager: EntityManager,
  { id: storefrontOrderId }: StorefrontOrder,
  plan: Plan,
): Promise<void> {
  const accepted = plan.cancellations.filter(({ answer }) => answer === 'accept');
  if (accepted.length === 0) return;
  const code: HoldCode = 'unknown_print_order';
  if (!(await manager.existsBy(Holds, { storefrontOrderId, code, resolvedAt: IsNull() }))) return;
  const message =
    'The print service has a print order for this order that Platen does not know. Someone must resolve the hold for that print order first.';
  for (const cancellation of accepted) Object.assign(cancellation, { answer: 'wait', message });
}
