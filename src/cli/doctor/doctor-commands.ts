import { flag, json, plainCommand, shopCommand, text, type Command } from '../command.ts';

/** The commands that check an installation. */
export const doctorCommands: readonly Command[] = [
  plainCommand('doctor', {
    about:
      'Find problems in this installation and their remedies, even if Platen cannot start; changes nothing without --yes',
    options: {
      fix: flag('show which problems can be fixed automatically'),
      yes: flag('with --fix: fix these problems'),
      report: text('FILE', 'write a report without secrets or personal data, to attach to an issue'),
      'with-shops': flag('with --report: include the domains of the shops'),
      json,
    },
    examples: ['', '--fix --yes', '--report doctor.json'],
    run: async ({ options }) => (await import('./doctor.ts')).doctor(options),
  }),
  shopCommand('check', {
    about: 'Create and delete a draft at the print service, and show how long each step takes; costs nothing',
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
