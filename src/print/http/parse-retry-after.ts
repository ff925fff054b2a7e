const SECONDS = /^\d{1,9}(\.\d{1,9})?$/;
const MAX_HEADER_LENGTH = 64;
const MAX_SECONDS = 24 * 60 * 60;

/**
 * Returns how many seconds from `now` a Retry-After header requires the client to wait. The header contains seconds (whole or fractional)
 * or an HTTP date. Returns null if the header is absent or unreadable. Returns at most a day, so that a wrong clock or header cannot
 * block an order permanently.
 */
export function parseRetryAfter(header: string | null, now: Date): number | null {
  if (header === null || header.length > MAX_HEADER_LENGTH) return null;
  const value = header.trim();
  if (SECONDS.test(value)) return Math.min(Number(value), MAX_SECONDS);
  // An HTTP date starts with the name of the day. Date.parse alone would interpret a plain number as a year.
  const date = /^[A-Za-z]{3,9},? /.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(date)) return null;
  return Math.min(Math.max(0, (date - now.getTime()) / 1000), MAX_SECONDS);
}
