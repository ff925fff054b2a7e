import { toStorableTime } from '../to-storable-time.ts';

const TIMESTAMP = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?)(?:Z|([+-]\d{2}):?(\d{2}))$/;
const MAX_LENGTH = 35;

/**
 * Parses a timestamp from the service. Returns null if it is invalid or cannot be stored. Both formats are accepted: `2021-01-14T12:30:03+00:00` and
 * `2023-06-21T09:44:03+0000` (docs/rules/print-interface.md#timestamps-and-dates). A delivery date (YYYY-MM-DD) is not a timestamp,
 * because it has no time zone.
 */
export function parseTimestamp(value: string): Date | null {
  const match = value.length > MAX_LENGTH ? null : TIMESTAMP.exec(value);
  if (match === null) return null;
  const [, local, hours, minutes] = match;
  return toStorableTime(new Date(hours === undefined ? `${local}Z` : `${local}${hours}:${minutes}`));
}
