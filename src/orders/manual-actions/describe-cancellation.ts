import type { PrintOrder } from '../../database/entities/print-orders.ts';
import { getTraits } from '../../print/get-traits.ts';
import { isStateIn } from '../facts/order-state.ts';
import { willNeverShip } from '../facts/service-trouble.ts';

type CanceledPrintOrder = Pick<PrintOrder, 'reference' | 'state' | 'printInterface' | 'submitWay'>;

/** Describes the effect that canceling an order by hand has on one of its print orders. Pure. */
export function describeCancellation(
  { reference, state, printInterface, submitWay }: CanceledPrintOrder,
  {
    isReplaced,
    cancelRefusedWhy,
    extendedCalls,
  }: { isReplaced: boolean; cancelRefusedWhy: string | null; extendedCalls: boolean },
): string {
  if (isReplaced) return `${reference} was not sent to print: it is closed, and its draft is deleted.`;
  if (willNeverShip(state)) return `${reference} has already failed or was already canceled at the print service.`;
  if (isStateIn(state, 'left')) return `${reference} has shipped and will arrive: it is too late to cancel it.`;
  if (cancelRefusedWhy !== null) return `${reference} could not be canceled: ${cancelRefusedWhy}.`;
  const hasCall =
    getTraits(printInterface).canCancelWithoutExtendedCalls ||
    (printInterface === 'current' && (extendedCalls || submitWay === 'draft'));
  if (!hasCall) return `${reference} cannot be canceled from here. Cancel it in the print service's dashboard.`;
  const chance =
    state === 'in_production'
      ? 'which is already being printed, so the print service may refuse'
      : 'which is possible until it is printed';
  return `Platen is asking the print service to cancel ${reference}, ${chance}. The timeline will show the result.`;
}
