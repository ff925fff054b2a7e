import { writeLine } from '../../terminal.ts';
import { withApp } from '../open-app.ts';

/** `platen migrate`: creates or updates the embedded database of an existing PLATEN_HOME, or the database named by DATABASE_URL. */
export async function migrate(): Promise<void> {
  await withApp(
    async (_app, migrations) => {
      writeLine(migrations.length === 0 ? 'The database is up to date.' : `Migrated: ${migrations.join(', ')}.`);
    },
    { mayCreate: true },
  );
}
