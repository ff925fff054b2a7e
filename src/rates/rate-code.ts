const PREFIX = 'platen:';

/** Used in place of a class if several quotes have no class in common. The rate then combines the cheapest method of each quote. */
export const CHEAPEST_CLASS = 'cheapest';

/** Returns a method's class: its `type` in the print interface, or `normal` without a type. */
export function classOf({ type }: { type: string | null }): string {
  return type || 'normal';
}

/**
 * Returns the service code of a rate that Platen offers at checkout. The order's shipping line later contains this code. It names the
 * class and, for a single quote, also the shipping method.
 */
export function toRateCode(type: string, uid?: string): string {
  return `${PREFIX}${type}${uid === undefined ? '' : `:${uid}`}`;
}

/**
 * Parses a shipping line's code. Returns null if the code is not one of Platen's codes. If `uid` is null, `type` is a class or, in a code
 * that names no class, a method's UID.
 */
export function parseRateCode(code: string | null): { type: string; uid: string | null } | null {
  if (!code?.startsWith(PREFIX)) return null;
  const [type = '', ...uid] = code.slice(PREFIX.length).split(':');
  return type === '' ? null : { type, uid: uid.join(':') || null };
}
