const PREFIX = 'platen:';

/** Stands in place of a class where several quotes have none in common: the cheapest method of each. */
export const CHEAPEST_CLASS = 'cheapest';

/** The class of a method: its `type` in the interface, and the ordinary one where it tells none. */
export function classOf({ type }: { type: string | null }): string {
  return type || 'normal';
}

/**
 * The service code of a rate that we offer at checkout: it comes back as the code of the order's shipping line. It names the class, and
 * the shipment method where a single quote has it.
 */
export function toRateCode(type: string, uid?: string): string {
  return `${PREFIX}${type}${uid === undefined ? '' : `:${uid}`}`;
}

/**
 * What a shipping line's code stands for; null for a code that is not of a rate of ours. Without a uid `type` is a class, or the uid
 * of a method in a code that names no class.
 */
export function parseRateCode(code: string | null): { type: string; uid: string | null } | null {
  if (!code?.startsWith(PREFIX)) return null;
  const [type = '', ...uid] = code.slice(PREFIX.length).split(':');
  return type === '' ? null : { type, uid: uid.join(':') || null };
}
