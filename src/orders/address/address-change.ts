/** A difference between the store's value and the value to send, with the print interface's name for the field and the reason. */
export interface AddressChange {
  field: string;
  from: string | null;
  to: string | null;
  why: string;
}

/**
 * Records a field whose value to send differs from the store's value. An empty reason means that only whitespace and invisible characters
 * changed.
 */
export function recordChange(
  changes: AddressChange[],
  field: string,
  from: string | null,
  to: string | null,
  why: string,
): void {
  if ((from ?? '') === (to ?? '')) return;
  changes.push({ field, from, to: to === '' ? null : to, why: why === '' ? 'spaces and invisible characters' : why });
}
