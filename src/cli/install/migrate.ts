import { say } from '../../terminal.ts';
import { withApp } from '../open-app.ts';

/** `platen migrate`: makes the database in a PLATEN_HOME that is there, or in the database that DATABASE_URL names. */
export async function migrate(): Promise<void> {
  await withApp(
    async (_app, migrations) => {
      say(migrations.length === 0 ? 'The database is up to date.' : `Migrated: ${migrations.join(', ')}.`);
    },
    { mayCreate: true },
  );
}
