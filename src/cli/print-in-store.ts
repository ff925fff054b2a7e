import type { ListedInStore } from '../products/in-store/list-in-store.ts';
import { printTable } from './print-table.ts';

/** Prints what Platen has set of variants in a store, and what there is to say of each. */
export async function printInStore(variants: AsyncIterable<ListedInStore>): Promise<void> {
  const rows: string[][] = [];
  for await (const { variantId, title, stockedAt, hiddenAt, problem, stockNote } of variants) {
    const set = [stockedAt === null ? '' : 'stocked', hiddenAt === null ? '' : 'unsellable'].filter(Boolean).join(', ');
    const says = [problem?.message ?? '', stockNote?.message ?? ''].filter(Boolean).join(' ');
    rows.push([variantId.split('/').at(-1) ?? '', title ?? '', set, says]);
  }
  printTable(['VARIANT', 'TITLE', 'SET BY PLATEN', 'TO SAY'], rows);
}
