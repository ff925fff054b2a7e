import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import {
  listAllVariantsInStore,
  countVariantsInStore,
  type ListedVariantInStore,
} from '../../products/variant-sync/list-variants-in-store.ts';
import { startLocationSync } from '../../products/variant-sync/start-location-sync.ts';
import { writeLine, writeJsonList, writeTable } from '../../terminal.ts';
import { describeCount } from '../describe-count.ts';
import { waitForVariantSync } from '../wait-for-variant-sync.ts';

/** `platen location apply`: applies the changes that `platen location plan` shows. Progress is written to standard error. */
export async function locationApply(options: { 'no-wait': boolean }, app: App, shop: Shop): Promise<void> {
  await startLocationSync(app, shop);
  if (!options['no-wait']) await waitForVariantSync(app, shop);
  const { due, stocked, problems } = await countVariantsInStore(app, shop);
  if (due > 0)
    writeLine(`In progress: ${due} remaining. "platen location list --shop ${shop.domain}" shows the progress.`);
  else writeLine(`Platen stocks ${describeCount(stocked, 'variant')} at its location.`);
  if (due > 0 || problems === 0) return;
  await reportVariantsInStore(listAllVariantsInStore(app, shop, true));
}

/** `platen location list`: lists the changes that Platen has made to variants in the store. */
export async function locationList(
  { problems, json }: { problems: boolean; json: boolean },
  app: App,
  shop: Shop,
): Promise<void> {
  const variants = listAllVariantsInStore(app, shop, problems);
  if (json) await writeJsonList(variants);
  else await reportVariantsInStore(variants);
}

/** Prints the changes that Platen has made to variants in a store, each with a note. */
export async function reportVariantsInStore(variants: AsyncIterable<ListedVariantInStore>): Promise<void> {
  const rows: string[][] = [];
  for await (const { variantId, title, stockedAt, hiddenAt, problem, stockNote } of variants) {
    const set = [stockedAt === null ? '' : 'stocked', hiddenAt === null ? '' : 'unsellable'].filter(Boolean).join(', ');
    const says = [problem?.message ?? '', stockNote?.message ?? ''].filter(Boolean).join(' ');
    rows.push([variantId.split('/').at(-1) ?? '', title ?? '', set, says]);
  }
  writeTable(['VARIANT', 'TITLE', 'SET BY PLATEN', 'NOTE'], rows);
}
