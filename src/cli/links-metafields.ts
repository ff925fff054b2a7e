import { parseArgs } from 'node:util';
import { listMetafieldProblems } from '../products/link-metafields/list-metafield-problems.ts';
import { findShopArgument } from './find-shop-argument.ts';
import { withApp } from './open-app.ts';
import { printJsonList } from './print-json-list.ts';
import { printTable } from './print-table.ts';
import { UsageError } from './usage-error.ts';

/** `platen links metafields --shop SHOP [--json]`: the variants whose metafields make no print link. */
export async function linksMetafields(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { shop: { type: 'string' }, json: { type: 'boolean' } } });
  const { shop: domain } = values;
  if (domain === undefined) throw new UsageError('Which shop? Give --shop and its domain.');
  await withApp(async (app) => {
    const shop = await findShopArgument(app, domain);
    const variants = listAll((after) => listMetafieldProblems(app, shop, after));
    if (values.json) return printJsonList(variants);
    const rows: string[][] = [];
    for await (const { variantId, problems } of variants)
      for (const { field, message, remedy } of problems)
        rows.push([variantId.split('/').at(-1) ?? variantId, field, `${message} ${remedy}`]);
    printTable(['VARIANT', 'METAFIELD', 'WHAT IS WRONG'], rows);
  });
}

async function* listAll<Item>(
  read: (after: string | null) => Promise<{ variants: Item[]; next: string | null }>,
): AsyncGenerator<Item> {
  for (let after: string | null = null; ;) {
    const { variants, next } = await read(after);
    yield* variants;
    if (next === null) return;
    after = next;
  }
}
