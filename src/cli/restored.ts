import { parseArgs } from 'node:util';
import { Installations } from '../database/shops.ts';
import { PlatenError } from '../errors.ts';
import { restoredNow } from '../shops/installation.ts';
import { withApp } from './open-app.ts';

/** `platen restored`: after a backup was restored, before any worker starts. */
export async function restored(args: string[]): Promise<void> {
  parseArgs({ args });
  await withApp(async (app) => {
    if (!(await app.db.manager.existsBy(Installations, { id: 1 }))) {
      const remedy = 'Set PLATEN_HOME or DATABASE_URL as they are set for the app.';
      throw new PlatenError(
        'no_installation',
        `No shop was ever installed in this database: it is not the restored one. ${remedy}`,
      );
    }
    const quietUntil = await restoredNow(app);
    console.log(`No print order is submitted before ${quietUntil.toISOString()}.`);
  });
}
