const PREFIX = 'platen:';

/** Used in place of a class if several quotes have none in common. It stands for the cheapest method of each. */
export const CHEAPEST_CLASS = 'cheapest';

/** The class of a method: its `type` in the print interface, or `normal` without one. */
export function classOf({ type }: { type: string | null }): string {
  return type || 'normal';
}

/**
 * The service code of a rate that Platen offers at checkout. It returns as the code of the order's shipping line. It names the class, and
 * for a single quote also the shipment method.
 */
export function toRateCode(type: string, uid?: string): string {
  return `${PREFIX}${type}${uid === undefined ? '' : `:${uid}`}`;
}

/**
 * Parses the code of a shipping line; null if it is not a code of Platen. Without a uid, `type` is a class, or the uid of a method in a
 * code that names no class.
 */
export function parseRateCode(code: string | null): { type: string; uid: string | null } | null {
  if (!code?.startsWith(PREFIX)) return null;
  const [type = '', ...uid] = code.slice(PREFIX.length).split(':');
  return type === '' ? null : { type, uid: uid.join(':') || null };
}
