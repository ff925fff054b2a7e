import { parseArgs } from 'node:util';
import { deleteLink } from '../products/links/delete-link.ts';
import { describeTarget } from '../products/links/parse-link.ts';
import { findShopArgument } from './find-shop-argument.ts';
import { parseLinkArgument } from './link-argument.ts';
import { withApp } from './open-app.ts';
import { UsageError } from './usage-error.ts';

/** `platen links delete LINK… --shop SHOP` */
export async function linksDelete(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({ args, options: { shop: { type: 'string' } }, allowPositionals: true });
  if (positionals.length === 0) throw new UsageError('Which variant? Give its id, or sku: and its SKU.');
  const { shop: domain } = values;
  if (domain === undefined) throw new UsageError('Which shop? Give --shop and its domain.');
  const targets = positionals.map(parseLinkArgument);
  await withApp(async (app) => {
    const shop = await findShopArgument(app, domain);
    for (const target of targets) {
      await deleteLink(app, shop, target);
      console.log(`The print link of ${describeTarget(target)} is taken away.`);
    }
  });
}
