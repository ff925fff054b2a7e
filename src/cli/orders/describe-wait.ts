import type { OrderWait } from '../../orders/waits/read-waits.ts';

/** Why something of an order is not over, since when it fails, and when Platen acts next. */
export function describeWait({ reference, message, since, tries, nextAt }: OrderWait): string {
  const about = reference === null ? '' : `${reference}: `;
  const failing = since === null ? '' : ` ${(tries ?? 0) > 1 ? `Tried ${tries} times` : 'Waiting'} since ${since}.`;
  return `${about}${message}${failing}${nextAt === null ? '' : ` Next: ${nextAt}.`}`;
}
