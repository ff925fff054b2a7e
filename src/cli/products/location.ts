import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { allInStore, countInStore, type ListedInStore } from '../../products/kept-variants/list-in-store.ts';
import { startKeepingLocation } from '../../products/kept-variants/start-keeping.ts';
import { say, sayJsonList, sayTable } from '../../terminal.ts';
import { sayVariants } from '../say-variants.ts';
import { untilNoneIsDue } from '../until-none-is-due.ts';

/** `platen location apply`: applies the changes that `platen location plan` shows. Progress is written to standard error. */
export async function locationApply(options: { 'no-wait': boolean }, app: App, shop: Shop): Promise<void> {
  await startKeepingLocation(app, shop);
  if (!options['no-wait']) await untilNoneIsDue(app, shop);
  const { due, stocked, problems } = await countInStore(app, shop);
  if (due > 0) say(`In progress: ${due} remaining. "platen location list --shop ${shop.domain}" shows the progress.`);
  else say(`Platen stocks ${sayVariants(stocked)} at its location.`);
  if (due > 0 || problems === 0) return;
  await sayInStore(allInStore(app, shop, true));
}

/** `platen location list`: lists the changes that Platen has made to variants in the store. */
export async function locationList(
  { problems, json }: { problems: boolean; json: boolean },
  app: App,
  shop: Shop,
): Promise<void> {
  const variants = allInStore(app, shop, problems);
  if (json) await sayJsonList(variants);
  else await sayInStore(variants);
}

/** Prints the changes that Platen has made to variants in a store, each with a note. */
export async function sayInStore(variants: AsyncIterable<ListedInStore>): Promise<void> {
  const rows: string[][] = [];
  for await (const { variantId, title, stockedAt, hiddenAt, problem, stockNote } of variants) {
    const set = [stockedAt === null ? '' : 'stocked', hiddenAt === null ? '' : 'unsellable'].filter(Boolean).join(', ');
    const says = [problem?.message ?? '', stockNote?.message ?? ''].filter(Boolean).join(' ');
    rows.push([variantId.split('/').at(-1) ?? '', title ?? '', set, says]);
  }
  sayTable(['VARIANT', 'TITLE', 'SET BY PLATEN', 'NOTE'], rows);
}
