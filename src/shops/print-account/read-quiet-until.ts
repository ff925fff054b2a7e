import type { App } from '../../app.ts';

/** When the quiet time after a restore ends; null: no quiet time now. Reads no secret, so a wrong ENCRYPTION_KEY does not matter. */
export async function readQuietUntil({ db }: Pick<App, 'db'>): Promise<Date | null> {
  const [row]: { quietUntil: Date }[] = await db.query(
    'select quiet_until as "quietUntil" from installation where id = 1 and quiet_until > clock_timestamp()',
  );
  return row?.quietUntil ?? null;
}

/** What an operator or a merchant is told while it lasts. */
export function describeQuiet(quietUntil: Date): string {
  return `The database was restored or moved: nothing is sent to print or marked as shipped before ${quietUntil.toISOString()}.`;
}
