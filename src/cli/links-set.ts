import { parseArgs } from 'node:util';
import { describeTarget, parseLink } from '../products/links/parse-link.ts';
import { saveLink } from '../products/links/save-link.ts';
import { findShopArgument } from './find-shop-argument.ts';
import { toLinkFields } from './link-argument.ts';
import { withApp } from './open-app.ts';
import { UsageError } from './usage-error.ts';

const OPTIONS = {
  shop: { type: 'string' },
  product: { type: 'string' },
  file: { type: 'string' },
  pages: { type: 'string' },
  envelope: { type: 'string' },
  envelopes: { type: 'string' },
} as const;

/** `platen links set LINK --shop SHOP --product UID [--file URL] [--pages N] [--envelope UID --envelopes N]`: what is left out is empty. */
export async function linksSet(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({ args, options: OPTIONS, allowPositionals: true });
  const [target, ...rest] = positionals;
  if (target === undefined || rest.length > 0)
    throw new UsageError('Which variant? Give its id, or sku: and its SKU, once.');
  if (values.shop === undefined) throw new UsageError('Which shop? Give --shop and its domain.');
  if (values.product === undefined) throw new UsageError('Which product? Give --product and its uid.');
  const link = {
    ...toLinkFields(target),
    productUid: values.product,
    fileUrl: values.file,
    pageCount: values.pages,
    envelopeProductUid: values.envelope,
    envelopesPerPiece: values.envelopes,
  };
  const { shop: domain } = values;
  await withApp(async (app) => {
    const saved = await saveLink(app, await findShopArgument(app, domain), link);
    console.log(`${capital(describeTarget(parseLink(link)))} is printed as ${saved.productUid}.`);
  });
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
