import type { App } from '../../app.ts';

/**
 * Returns the end of the quiet time after a restore, or null if there is no quiet time. Reads no secret, so it works with a wrong
 * ENCRYPTION_KEY.
 */
export async function readQuietUntil({ clock, db }: Pick<App, 'clock' | 'db'>): Promise<Date | null> {
  const [row]: { quietUntil: Date }[] = await db.query(
    'select quiet_until as "quietUntil" from installation where id = 1 and quiet_until > $1',
    [clock.now()],
  );
  return row?.quietUntil ?? null;
}

/** The text that operators and merchants see during the quiet time. */
export function describeQuietTime(quietUntil: Date): string {
  return `The database was restored or moved: nothing is sent to print or marked as shipped before ${quietUntil.toISOString()}.`;
}
