import { parseArgs } from 'node:util';
import { checkAgain } from '../products/links/check-again.ts';
import { findShopArgument } from './find-shop-argument.ts';
import { parseLinkArgument } from './link-argument.ts';
import { withApp } from './open-app.ts';
import { UsageError } from './usage-error.ts';

/** `platen links check [LINK…] --shop SHOP` */
export async function linksCheck(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({ args, options: { shop: { type: 'string' } }, allowPositionals: true });
  const { shop: domain } = values;
  if (domain === undefined) throw new UsageError('Which shop? Give --shop and its domain.');
  const targets = positionals.map(parseLinkArgument);
  await withApp(async (app) => {
    const shop = await findShopArgument(app, domain);
    let count = 0;
    for (const target of targets.length === 0 ? [null] : targets) count += await checkAgain(app, app.db, shop, target);
    if (count === 0) console.log('No print link has a problem.');
    else console.log(`${count} print link${count === 1 ? ' is' : 's are'} checked again: see "platen links list".`);
  });
}
