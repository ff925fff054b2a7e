import { parseArgs } from 'node:util';
import {
  linkFromTemplate,
  parseLinksFromTemplate,
  type LinkedFromTemplate,
} from '../products/from-template/link-from-template.ts';
import { findShopArgument } from './find-shop-argument.ts';
import { withApp } from './open-app.ts';
import { printTable } from './print-table.ts';
import { toPairs } from './to-pairs.ts';
import { UsageError } from './usage-error.ts';

const OPTIONS = {
  shop: { type: 'string' },
  file: { type: 'string', multiple: true, default: [] as string[] },
  pages: { type: 'string' },
  rename: { type: 'string', multiple: true, default: [] as string[] },
  'dry-run': { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
} as const;

/**
 * `platen links from-template TEMPLATE PRODUCT… --shop SHOP [--file [VARIANT=]URL]… [--pages N] [--rename NAME=NAME]… [--dry-run] [--json]`: a
 * file without a variant is for all.
 */
export async function linksFromTemplate(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({ args, options: OPTIONS, allowPositionals: true });
  const { shop: domain, pages, json, 'dry-run': dryRun } = values;
  const [templateId, ...products] = positionals;
  if (templateId === undefined || products.length === 0)
    throw new UsageError(
      'Which template, and which products? Give the id of the template, then those of products of the store.',
    );
  if (domain === undefined) throw new UsageError('Which shop? Give --shop and its domain.');
  const files = values.file.map((one) => /^(?:(\d+)=)?(.*)$/s.exec(one) ?? []);
  const twice = files.find(([, variant], at) => files.findIndex(([, other]) => other === variant) !== at);
  if (twice)
    throw new UsageError(
      `Which file? There are two ${twice[1] === undefined ? 'for all variants' : `for the variant ${twice[1]}`}: give --file once for each.`,
    );
  const asked = parseLinksFromTemplate({
    templateId,
    products,
    fileUrl: files.find(([, variant]) => variant === undefined)?.[2] ?? null,
    fileUrls: Object.fromEntries(files.flatMap(([, variant, url]) => (variant === undefined ? [] : [[variant, url]]))),
    ...(pages === undefined ? {} : { pageCount: Number(pages) }),
    optionNames: toPairs('rename', values.rename),
    dryRun,
  });
  await withApp(async (app) => {
    const result = await linkFromTemplate(app, await findShopArgument(app, domain), asked);
    if (json) console.log(JSON.stringify(result));
    else show(result);
  });
}

function show({ dryRun, linked, notLinked, created, changed, unchanged }: LinkedFromTemplate): void {
  printTable(
    ['VARIANT', 'TITLE', 'PRINTED AS'],
    [
      ...linked.map(({ variantId, title, productUid }) => [variantId, title, productUid]),
      ...notLinked.map(({ productId, variantId, title, message }) => [
        variantId ?? productId,
        title ?? '',
        `- ${message}`,
      ]),
    ],
  );
  const words = dryRun ? 'Without --dry-run' : 'Saved:';
  console.log(`${words} ${created} new, ${changed} changed, ${unchanged} as before; ${notLinked.length} not linked.`);
}
