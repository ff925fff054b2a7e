import { parseArgs } from 'node:util';
import { withApp } from './open-app.ts';

/** `platen migrate` */
export async function migrate(args: string[]): Promise<void> {
  parseArgs({ args });
  await withApp(async (_app, migrations) => {
    console.log(migrations.length === 0 ? 'The database is up to date.' : `Migrated: ${migrations.join(', ')}.`);
  });
}
