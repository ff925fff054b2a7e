import { databaseCommand, flag, json } from '../command.ts';

/** The commands for the encryption keys. */
export const keyCommands = [
  databaseCommand('rotate-keys', {
    about: 'Re-encrypt all values with ENCRYPTION_KEY while Platen runs, and show whether old keys are still needed',
    options: { 'dry-run': flag('count and check the values without changing them'), json },
    examples: ['--dry-run', ''],
    run: async ({ options }, app) => (await import('./rotate-keys.ts')).rotateKeysCommand(options, app),
  }),
];
