import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { exportLinks } from '../products/links/export-links.ts';
import { findShopArgument } from './find-shop-argument.ts';
import { withApp } from './open-app.ts';
import { UsageError } from './usage-error.ts';

/** `platen links export --shop SHOP`: a CSV file on standard output, as `platen links import` reads it. */
export async function linksExport(args: string[]): Promise<void> {
  const { shop: domain } = parseArgs({ args, options: { shop: { type: 'string' } } }).values;
  if (domain === undefined) throw new UsageError('Which shop? Give --shop and its domain.');
  await withApp(async (app) => {
    const lines = exportLinks(app, await findShopArgument(app, domain));
    await pipeline(Readable.from(lines), process.stdout, { end: false }).catch(ignoreLeaver);
  });
}

/** Whoever reads the output may leave before its end. */
function ignoreLeaver(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'EPIPE')) throw error;
}
