import { parseArgs } from 'node:util';
import { restoredNow } from '../shops/installation.ts';
import { withApp } from './open-app.ts';

/** `platen restored`: after a backup was restored, before any worker starts. */
export async function restored(args: string[]): Promise<void> {
  parseArgs({ args });
  await withApp(async (app) => {
    const quietUntil = await restoredNow(app);
    console.log(`No print order is submitted before ${quietUntil.toISOString()}.`);
  });
}
