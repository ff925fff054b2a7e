import { parseArgs } from 'node:util';
import { copyLink } from '../products/links/copy-link.ts';
import { describeTarget } from '../products/links/parse-link.ts';
import { findShopArgument } from './find-shop-argument.ts';
import { parseLinkArgument } from './link-argument.ts';
import { withApp } from './open-app.ts';
import { UsageError } from './usage-error.ts';

/** `platen links copy LINK LINK… --shop SHOP`: the print link of the first, for each of the others. */
export async function linksCopy(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({ args, options: { shop: { type: 'string' } }, allowPositionals: true });
  const { shop: domain } = values;
  if (domain === undefined) throw new UsageError('Which shop? Give --shop and its domain.');
  const [from, ...to] = positionals.map(parseLinkArgument);
  if (from === undefined || to.length === 0)
    throw new UsageError('From which variant to which? Give the id, or sku: and the SKU, of each.');
  await withApp(async (app) => {
    const shop = await findShopArgument(app, domain);
    for (const target of to) {
      await copyLink(app, shop, { from, to: target });
      console.log(`The print link of ${describeTarget(from)} is copied to ${describeTarget(target)}.`);
    }
  });
}
