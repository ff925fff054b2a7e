import { texts } from '../texts/texts.ts';

/** Returns the short name of a hold's reason, or its code if this version does not know it. */
export function nameOfHold(code: string): string {
  const names: Readonly<Record<string, string | undefined>> = texts.holds;
  return names[code] ?? code;
}

/** Returns what to do about a hold. The server sends it in English. */
export function remedyOfHold({ code, remedy }: { code: string; remedy: string }): string {
  return texts.remedies[code] ?? remedy;
}
