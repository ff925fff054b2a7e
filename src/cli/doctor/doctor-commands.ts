import { json, shopCommand, text, type Command } from '../command.ts';

/** The commands that check an installation. */
export const doctorCommands: readonly Command[] = [
  shopCommand('check', {
    about: 'Create a draft at the print service, delete it, and show how long each step takes; costs nothing',
    takesShopFirst: true,
    options: {
      sku: text('SKU', 'the SKU of the print link to use; by default, the first one with a print file'),
      country: text('CODE', 'the country of the sample address, such as DE; by default US'),
      junit: text('FILE', 'write the steps as a JUnit file'),
      json,
    },
    examples: ['--shop demo', '--sku MUG-11OZ --country DE --shop demo'],
    run: async ({ options }, app, shop) => (await import('./check.ts')).check(options, app, shop),
  }),
];
