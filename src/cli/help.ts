import { settingNames, settingsSchema } from '../shops/settings-schema.ts';

const COMMANDS = `platen shops list [--json]               all shops
platen shops show SHOP [--json]          a shop and its settings
platen shops set SHOP name=value…        change settings; name= alone removes a value
platen shops webhook SHOP                make a new address for the print service's events
platen orders list --shop SHOP [--json]  all orders of a shop, oldest first
platen restored                          after restoring a backup: submit nothing for a while
platen migrate                           bring the database up to date
platen demo [--json]                     three orders from payment to tracking, in the sandbox
platen sandbox                           the two stand-ins alone
platen help                              this page

SHOP is a domain such as demo.myshopify.com, or its first word. Settings:
`;

/** `platen help` */
export function help(): void {
  const settings = settingNames.map((name) => `  ${name.padEnd(27)}${settingsSchema.shape[name].unwrap().description}`);
  console.log(COMMANDS + settings.join('\n'));
}
