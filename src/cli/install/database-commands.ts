import { databaseCommand, flag, json, plainCommand, type Command } from '../command.ts';

/** The commands for backups, restores and upgrades of the database. */
export const databaseCommands: readonly Command[] = [
  plainCommand('backup', {
    about: 'Write a backup of the database while Platen runs',
    args: 'PATH',
    options: { json },
    examples: ['backups', 'platen.sql.gz --json'],
    run: async (given) => (await import('./backup.ts')).backup(given),
  }),
  plainCommand('restore', {
    about: 'Restore a backup into a new, empty database and start the quiet time',
    args: 'BACKUP',
    options: {
      'dry-run': flag('check the file, its version, the encryption key and the database without changing anything'),
    },
    examples: ['platen.sql.gz --dry-run', 'platen.sql.gz'],
    run: async (given) => (await import('./restore.ts')).restore(given),
  }),
  databaseCommand('restored', {
    about: 'After restoring a backup, before any worker starts: stop sending print orders for the quiet time',
    options: {
      end: flag('end the quiet time early; you confirm that no other process has used a copy of the database'),
      yes: flag('skip the confirmation'),
    },
    examples: ['', '--end --yes'],
    run: async ({ options }, app) => (await import('./restored.ts')).restored(options, app),
  }),
  plainCommand('upgrade', {
    about: 'Report what an upgrade to this version would do to the database, without changing anything',
    options: { preflight: flag('show the report (required)'), json },
    examples: ['--preflight', '--preflight --json'],
    more: async () => ['Exit codes: 0 ready, 3 possible but needs attention, 4 blocked, 1 if the report failed.'],
    run: async ({ options }) => (await import('./upgrade.ts')).upgrade(options),
  }),
  plainCommand('migrate', {
    about: 'Update the database to the current version',
    examples: [''],
    run: async () => (await import('./migrate.ts')).migrate(),
  }),
];
