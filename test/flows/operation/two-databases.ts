import { expect, onTestFinished } from 'vitest';
import { connectDatabase } from '../../../src/database/connect.ts';
import { eventually } from '../../helpers/eventually.ts';
import { startPlaten, type PlacedOrder, type Platen } from '../../helpers/platen.ts';
import { copyDatabase } from '../../helpers/restore-database.ts';
import { startProcess } from './start-process.ts';

const ENVIRONMENT = {
  PRINT_TIMEOUT_SECONDS: '1',
  SUBMIT_DEADLINE_SECONDS: '0.5',
  SUBMIT_QUIET_SECONDS: '4',
  // Webhooks reach only one of the two databases.
  POLL_SECONDS: '1',
};

/** Starts a Platen in real time, whose database can be copied. */
export async function startOriginal(settings: Record<string, unknown>): Promise<Platen> {
  const platen = await startPlaten({ time: 'real', advanceSeconds: null, environment: ENVIRONMENT, settings });
  onTestFinished(() => platen.stop());
  return platen;
}

/** Copies the database and starts another process with the copy, the same store and the same print account. */
export async function startTwin(platen: Platen): Promise<{ isFencedOff: () => Promise<boolean> }> {
  const copy = await copyDatabase(platen.app.config.databaseUrl ?? '');
  const db = await connectDatabase({ url: copy.url, poolSize: 1 });
  onTestFinished(async () => {
    await db.destroy();
    await copy.drop();
  });
  await startProcess(platen, { ...ENVIRONMENT, DATABASE_URL: copy.url });
  return { isFencedOff: () => isFencedOff(db) };
}

/** Returns whether the database says that another one has taken over its shop. */
export async function isFencedOff(db: Platen['app']['db']): Promise<boolean> {
  const [shop]: { isOff: boolean }[] = await db.query('select fenced_off_at is not null as "isOff" from shops');
  return shop?.isOff === true;
}

/** Waits until the print service has one order for each order in the store, whichever database sent it. */
export async function untilInBooks(platen: Platen, orders: readonly PlacedOrder[]): Promise<void> {
  const count = ({ name }: PlacedOrder): Promise<number> => platen.printedFor(name).then(({ length }) => length);
  await eventually(() => Promise.all(orders.map(count))).toEqual(orders.map(() => 1));
}

/** Places orders for one poster each. */
export async function placePosters(platen: Platen, count: number): Promise<PlacedOrder[]> {
  const placed: PlacedOrder[] = [];
  for (let left = count; left > 0; left -= 1) placed.push(await platen.placeSkus({ 'POSTER-30X40': 1 }));
  expect(placed).toHaveLength(count);
  return placed;
}
