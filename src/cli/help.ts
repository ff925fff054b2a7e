import { settingNames, settingsSchema } from '../shops/settings-schema.ts';

const COMMANDS = `platen shops list [--json]               all shops
platen shops show SHOP [--json]          a shop and its settings
platen shops set SHOP name=value…        change settings; name= alone removes a value
platen shops webhook SHOP                make a new address for the print service's events
platen shops disconnect SHOP             remove the key of its print account
platen orders list --shop SHOP [--json]  all orders of a shop, oldest first
platen orders show SHOP ORDER [--json]   an order with its holds, print orders and timeline
platen orders costs SHOP [--since DAY] [--until DAY] [--json | --csv]
                                         what print orders cost, what the buyer paid for them, and the margin
platen orders approve ORDER… --shop SHOP   it goes to print; --all: every order that waits for approval
platen orders hold ORDER… --shop SHOP      nothing more of it is sent until it is approved
platen orders retry ORDER… --shop SHOP     try again what was held and has been mended
platen orders cancel ORDER… --shop SHOP    print nothing of it any more; the order in the store stays
platen orders print-again ORDER… --shop SHOP   print anew what will not come
platen orders continue ORDER… --shop SHOP  go on with it as it is
platen orders close ORDER… --shop SHOP     close in the store what will never be printed
  ORDER is a name such as #1001, or an id; --print-order REFERENCE means one print order of it alone
platen shops allow-other-app SHOP        print beside another app of the same print account
platen links list --shop SHOP [--json]   what is printed for which variant or SKU
platen links set LINK --shop SHOP --product UID [--file URL] [--pages N] [--envelope UID --envelopes N]
                                         save a print link, in place of the one there is
platen links delete LINK… --shop SHOP    take print links away
platen links check [LINK…] --shop SHOP     check them again, or all in which something was found wrong
platen links metafields --shop SHOP [--json]   variants whose metafields make no print link, and why
platen links copy LINK LINK… --shop SHOP   give the others the print link of the first
platen links from-template TEMPLATE PRODUCT… --shop SHOP [--file [VARIANT=]URL]… [--pages N] [--rename NAME=NAME]…
  [--dry-run] [--json]                   link the variants that have the options of a template's variants
platen links import FILE --shop SHOP [--dry-run] [--json]
                                         save print links of a CSV file, all or none; - is standard input
platen links export --shop SHOP          all print links as CSV
  LINK is the id of a variant, or sku:MUG-11OZ for every variant of that SKU
platen catalog search [CATALOG] --shop SHOP [--filter ATTRIBUTE=VALUE[,VALUE]]… [--offset N] [--json]
                                         products of the print service, with what they can be narrowed to
platen products list SHOP [--status STATUS] [--json]   its products at the print service, and how they are connected
platen products create TEMPLATE --shop SHOP --title TITLE [--image PLACEHOLDER=URL]… [--text PLACEHOLDER=TEXT]…
  [--description HTML] [--tag TAG]… [--visible] [--store STORE] [--no-wait] [--json]   make a product from a template
platen products stock SHOP [--out] [--json]   what the print service has in stock of them; --out: only what it lacks
platen location plan SHOP [--json]       what of its variants would be stocked at Platen's location; changes nothing
platen location apply SHOP [--no-wait]   does it
platen location list SHOP [--problems] [--json]   what Platen has set of its variants in the store
platen privacy list SHOP [--json]        what customers asked for, the newest first
platen privacy export SHOP ID            what is kept about the customer of a data request, as JSON
platen privacy redact SHOP ORDER…        erase the customer of these orders (Shopify's ids), after a restore
platen privacy forget SHOP               delete a shop that has removed Platen, after a restore
platen backfill --shop SHOP --since DATE   take in orders placed before the install, or while Platen was down;
  --dry-run lists them, --beside-other-app goes on although somebody else printed, --no-wait does not wait, --json;
  without --since: the last ones
platen leave SHOP [--yes] [--no-wait] [--json]   what Platen has set for a shop; --yes takes it back, before an uninstall
platen restored [--end] [--yes]           after restoring a backup: submit nothing for a while; --end ends that time early
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
