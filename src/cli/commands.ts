import { databaseCommand, flag, json, list, noWait, plainCommand, shopCommand, text, type Command } from './command.ts';
import { databaseCommands } from './install/database-commands.ts';
import { keyCommands } from './install/key-commands.ts';
import { doctorCommands } from './doctor/doctor-commands.ts';
import { productCommands } from './products/product-commands.ts';

const printOrder = text('REFERENCE', 'apply the action only to this print order');

/**
 * All `platen` commands. The dispatcher, the help and the argument checks use this table. A command's code is loaded only when the command
 * runs, so that startup stays fast and an image can omit the stand-ins.
 */
export const commands: readonly Command[] = [
  databaseCommand('shops list', {
    about: 'List all shops',
    options: { json },
    examples: [''],
    run: async ({ options }, app) => (await import('./shops/shops.ts')).shopsList(options, app),
  }),
  shopCommand('shops show', {
    about: 'Show a shop and its settings',
    takesShopFirst: true,
    options: { json },
    examples: ['--shop demo'],
    run: async ({ options }, app, shop) => (await import('./shops/show.ts')).shopsShow(options, app, shop),
  }),
  shopCommand('shops set', {
    about: 'Change shop settings; "name=" removes a value, and "name=-" reads it from standard input',
    args: 'name=value…',
    takesShopFirst: true,
    examples: [
      'delayMinutes=30 fallbackEmail=orders@example.com --shop demo',
      'stockRegions=EU,US-CA --shop demo',
      `approvalRules='{"minimumTotal":"500.00"}' --shop demo`,
    ],
    more: async () => (await import('./shops/show-setting.ts')).describeSettings(),
    run: async (given, app, shop) => (await import('./shops/shops.ts')).shopsSet(given, app, shop),
  }),
  shopCommand('shops webhook', {
    about: 'Create a new webhook address for the print service and show it once',
    takesShopFirst: true,
    examples: ['--shop demo'],
    run: async (_given, app, shop) => (await import('./shops/shops.ts')).shopsWebhook(app, shop),
  }),
  shopCommand('shops disconnect', {
    about: "Remove a shop's print key",
    takesShopFirst: true,
    examples: ['--shop demo'],
    run: async (_given, app, shop) => (await import('./shops/shops.ts')).shopsDisconnect(app, shop),
  }),
  shopCommand('shops allow-other-app', {
    about: 'Keep printing even though another app uses the same print account',
    takesShopFirst: true,
    examples: ['--shop demo'],
    run: async (_given, app, shop) => (await import('./shops/shops.ts')).shopsAllowOtherApp(app, shop),
  }),
  shopCommand('shops test-alerts', {
    about: "Send a test message to the recipients of a shop's alerts (alertEmails, alertSlackUrl)",
    options: { json },
    examples: [],
    run: async ({ options }, app, shop) => (await import('./shops/shop-alerts.ts')).shopsTestAlerts(options, app, shop),
  }),
  shopCommand('orders list', {
    about: "List a shop's orders, oldest first",
    options: { held: flag('only orders with an open hold'), json },
    examples: ['--shop demo', '--shop demo --held'],
    run: async ({ options }, app, shop) => (await import('./orders/orders-commands.ts')).ordersList(options, app, shop),
  }),
  shopCommand('orders show', {
    about: 'Show an order with its holds, print orders and timeline',
    args: 'ORDER',
    takesShopFirst: true,
    options: { json },
    examples: ["'#1001' --shop demo"],
    run: async (given, app, shop) => (await import('./orders/show.ts')).ordersShow(given, app, shop),
  }),
  shopCommand('orders approve', {
    about: 'Approve orders that are waiting for approval or were held by hand, and send them to print',
    args: '[ORDER…]',
    options: { 'print-order': printOrder, all: flag('every order that is waiting for approval') },
    examples: ["'#1001' --shop demo", '--all --shop demo'],
    run: async (given, app, shop) =>
      (await import('./orders/orders-commands.ts')).ordersAct('approve', given, app, shop),
  }),
  shopCommand('orders retry', {
    about: 'Retry held orders after the cause has been fixed',
    args: '[ORDER…]',
    options: {
      'print-order': printOrder,
      all: flag('every order held with the code given in --hold'),
      hold: text('CODE', 'the hold code, as "platen orders list --held" shows it; requires --all'),
      yes: flag('skip the confirmation when the command affects many orders'),
    },
    examples: ["'#1001' --shop demo", '--all --hold quote_refused --yes --shop demo'],
    run: async (given, app, shop) => (await import('./orders/orders-commands.ts')).ordersAct('retry', given, app, shop),
  }),
  ...(
    [
      ['hold', 'Hold orders until someone approves them'],
      ['cancel', 'Cancel printing; the orders stay in the store'],
      ['print-again', 'Reprint items that will not be delivered'],
      ['continue', 'Release holds without changing the orders'],
      ['close', 'In the store, close items that will never be printed'],
    ] as const
  ).map(([action, about]) =>
    shopCommand(`orders ${action}`, {
      about,
      args: 'ORDER…',
      options: { 'print-order': printOrder },
      examples: ["'#1001' --shop demo"],
      run: async (given, app, shop) =>
        (await import('./orders/orders-commands.ts')).ordersAct(action, given, app, shop),
    }),
  ),
  shopCommand('orders costs', {
    about: "Show the costs of print orders, the buyers' payments and the margins",
    takesShopFirst: true,
    options: {
      since: text('DAY', "the first day, in the shop's time zone"),
      until: text('DAY', 'the last day'),
      json,
      csv: flag('write CSV'),
    },
    examples: ['--shop demo', '--since 2026-11-01 --until 2026-11-30 --shop demo'],
    run: async ({ options }, app, shop) => (await import('./orders/costs.ts')).ordersCosts(options, app, shop),
  }),
  shopCommand('print-orders search', {
    about: "Search the print service's orders; v4, v3, v2 or v1, depending on the shop's print account",
    args: '[REFERENCE…]',
    options: {
      id: list('ID', "an order's ID at the print service"),
      'fulfillment-status': list('STATUS', 'such as printed or shipped'),
      'financial-status': list('STATUS', 'such as paid or refused'),
      channel: list('CHANNEL', 'ui, api, shopify or etsy'),
      country: list('COUNTRY', 'the country code of the shipping address'),
      search: text('TEXT', "part of the recipient's name or of the reference"),
      since: text('DATE', 'placed or created after this day or ISO 8601 time'),
      until: text('DATE', 'placed or created before this day or ISO 8601 time'),
      currency: list('CURRENCY', 'only v4'),
      'order-type': list('TYPE', 'order or draft; only v4'),
      store: list('ID', 'the ID of a store at the print service; only v4'),
      limit: text('N', 'show at most N orders; 100 by default, at most 1000'),
      json,
    },
    examples: ['--since 2026-11-01 --fulfillment-status shipped --shop demo', '--search Miller --json --shop demo'],
    run: async (given, app, shop) =>
      (await import('./orders/print-orders-search.ts')).printOrdersSearch(given, app, shop),
  }),
  ...productCommands,
  ...doctorCommands,
  shopCommand('privacy list', {
    about: "List customers' privacy requests, newest first",
    takesShopFirst: true,
    options: { json },
    examples: ['--shop demo'],
    run: async ({ options }, app, shop) => (await import('./install/privacy.ts')).privacyList(options, app, shop),
  }),
  shopCommand('privacy export', {
    about: 'Export the data stored about the customer who made a data request, as JSON',
    args: 'ID',
    takesShopFirst: true,
    examples: [],
    run: async (given, app, shop) => (await import('./install/privacy.ts')).privacyExport(given, app, shop),
  }),
  shopCommand('privacy redact', {
    about: "Erase the customers' data in these orders, after a restore",
    args: 'ORDER_ID…',
    takesShopFirst: true,
    examples: ['5001 5002 --shop demo'],
    run: async (given, app, shop) => (await import('./install/privacy.ts')).privacyRedact(given, app, shop),
  }),
  shopCommand('privacy forget', {
    about: 'Delete a shop that has uninstalled Platen, after a restore',
    takesShopFirst: true,
    examples: [],
    run: async (_given, app, shop) => (await import('./install/privacy.ts')).privacyForget(app, shop),
  }),
  shopCommand('backfill', {
    about:
      'Import orders placed before the install or while Platen was down; without --since, show the most recent backfills',
    options: {
      since: text('DATE', 'import orders placed on or after this day'),
      'dry-run': flag('list the orders without importing them'),
      'beside-other-app': flag('continue even though another app has printed orders'),
      'no-wait': noWait,
      json,
    },
    examples: ['--shop demo', '--since 2026-11-01 --dry-run --shop demo'],
    run: async ({ options }, app, shop) => (await import('./orders/backfill.ts')).backfill(options, app, shop),
  }),
  shopCommand('leave', {
    about: 'Show the changes that Platen has made in a store; with --yes, undo them before an uninstall',
    takesShopFirst: true,
    options: { yes: flag('undo the changes'), 'no-wait': noWait, json },
    examples: ['--shop demo'],
    run: async ({ options }, app, shop) => (await import('./shops/leave.ts')).leave(options, app, shop),
  }),
  ...databaseCommands,
  ...keyCommands,
  plainCommand('demo', {
    about: 'Run three orders from payment to tracking in the sandbox',
    options: { json },
    examples: [],
    run: async ({ options }) => (await import('./demo/demo.ts')).demo(options),
  }),
  plainCommand('sandbox', {
    about: 'Run only the stand-ins for the store and the print service',
    examples: [],
    run: async () => (await import('./demo/sandbox.ts')).sandbox(),
  }),
  plainCommand('help', {
    about: 'Show all commands, or one command with its arguments, options and examples',
    args: '[COMMAND…]',
    examples: ['', 'orders list'],
    run: async ({ args }) => (await import('./describe-command.ts')).help(commands, args),
  }),
];
