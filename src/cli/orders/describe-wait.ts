import type { OrderWait } from '../../orders/waits/read-waits.ts';

/** Describes why a step of an order is waiting, since when it has been failing, and when Platen will retry it. */
export function describeWait({ reference, message, since, tries, nextAt }: OrderWait): string {
  const about = reference === null ? '' : `${reference}: `;
  const failing = since === null ? '' : ` ${(tries ?? 0) > 1 ? `Tried ${tries} times` : 'Waiting'} since ${since}.`;
  return `${about}${message}${failing}${nextAt === null ? '' : ` Next: ${nextAt}.`}`;
}
