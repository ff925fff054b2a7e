import {
  linkFromTemplate,
  parseLinksFromTemplate,
  type LinkedFromTemplate,
} from '../../products/from-template/link-from-template.ts';
import { UsageError } from '../usage-error.ts';
import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { writeLine, writeJson, writeTable } from '../../terminal.ts';
import type { GivenArguments } from '../command.ts';

interface Options {
  file: string[];
  pages: string | undefined;
  rename: Record<string, string>;
  'dry-run': boolean;
  json: boolean;
}

/** `platen links from-template`: links variants to a template. A file without a variant applies to all variants. */
export async function linksFromTemplate(
  { args: [templateId = '', ...products], options }: Pick<GivenArguments, 'args'> & { options: Options },
  app: App,
  shop: Shop,
): Promise<void> {
  const files = options.file.map((one) => /^(?:(\d+)=)?(.*)$/s.exec(one) ?? []);
  const twice = files.find(([, variant], at) => files.findIndex(([, other]) => other === variant) !== at);
  if (twice)
    throw new UsageError(
      `--file is given twice ${twice[1] === undefined ? 'for all variants' : `for the variant ${twice[1]}`}: give it only once.`,
    );
  const asked = await parseLinksFromTemplate({
    templateId,
    products,
    fileUrl: files.find(([, variant]) => variant === undefined)?.[2] ?? null,
    fileUrls: Object.fromEntries(files.flatMap(([, variant, url]) => (variant === undefined ? [] : [[variant, url]]))),
    ...(options.pages === undefined ? {} : { pageCount: Number(options.pages) }),
    optionNames: options.rename,
    dryRun: options['dry-run'],
  });
  const result = await linkFromTemplate(app, shop, asked);
  if (options.json) writeJson(result);
  else reportLinks(result);
}

function reportLinks({ dryRun, linked, notLinked, created, changed, unchanged }: LinkedFromTemplate): void {
  writeTable(
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
  const words = dryRun ? 'Without --dry-run:' : 'Saved:';
  writeLine(`${words} ${created} new, ${changed} changed, ${unchanged} unchanged, ${notLinked.length} not linked.`);
}
