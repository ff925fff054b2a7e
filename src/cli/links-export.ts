import { parseArgs } from 'node:util';
import { exportLinks } from '../products/links/export-links.ts';
import { findShopArgument } from './find-shop-argument.ts';
import { withApp } from './open-app.ts';
import { printTexts } from './print-texts.ts';
import { UsageError } from './usage-error.ts';

/** `platen links export --shop SHOP`: a CSV file on standard output, as `platen links import` reads it. */
export async function linksExport(args: string[]): Promise<void> {
  const { shop: domain } = parseArgs({ args, options: { shop: { type: 'string' } } }).values;
  if (domain === undefined) throw new UsageError('Which shop? Give --shop and its domain.');
  await withApp(async (app) => printTexts(exportLinks(app, await findShopArgument(app, domain))));
}
