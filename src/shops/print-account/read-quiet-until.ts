import type { App } from '../../app.ts';

/**
 * Returns the end of the quiet time after a restore, or null if there is no quiet time. The quiet time of a single shop counts if the shop
 * is given. Reads no secret, so it works with a wrong ENCRYPTION_KEY.
 */
export async function readQuietUntil(
  { clock, db }: Pick<App, 'clock' | 'db'>,
  shop: { id: number } | null = null,
): Promise<Date | null> {
  const [row]: { quietUntil: Date | null }[] = await db.query(
    `select max(quiet_until) as "quietUntil" from (
       select quiet_until from installation union all select quiet_until from shops where id = $2) one where quiet_until > $1`,
    [clock.now(), shop?.id ?? null],
  );
  return row?.quietUntil ?? null;
}

/** The text that operators and merchants see during the quiet time. */
export function describeQuietTime(quietUntil: Date): string {
  return `The database was restored or moved: nothing is sent to print or marked as shipped before ${quietUntil.toISOString()}.`;
}
