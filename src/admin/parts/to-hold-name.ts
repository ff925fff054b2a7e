import { texts } from '../texts/texts.ts';

/** Returns the short name of a hold's reason, or its code if this version does not know it. */
export function toHoldName(code: string): string {
  const names: Readonly<Record<string, string | undefined>> = texts.holds;
  return names[code] ?? code;
}
