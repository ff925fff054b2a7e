import type { EntityManager } from 'typeorm';
import { writeLater } from '../../database/write-later.ts';
import type { PrintOrderLine } from '../../database/entities/print-orders.ts';
import { hashLineItem } from '../facts/hash-line-item.ts';

/** Records the lines' units as sent to print, in the claim's transaction. This record outlives the order's own rows. */
export async function recordPrintedLines(manager: EntityManager, lines: readonly PrintOrderLine[]): Promise<void> {
  if (lines.length === 0) return;
  await writeLater(
    manager,
    `insert into printed_lines (line_item_hash, quantity)
     select hash, sum(quantity) from unnest($1::text[], $2::int[]) as line (hash, quantity) group by hash order by hash
     on conflict (line_item_hash) do update set quantity = printed_lines.quantity + excluded.quantity`,
    [lines.map(({ shopifyLineItemId }) => hashLineItem(shopifyLineItemId)), lines.map(({ quantity }) => quantity)],
  );
}

/** Removes the lines' units from the record, because they are proven not to be printed. */
export async function removePrintedLines(manager: EntityManager, lines: readonly PrintOrderLine[]): Promise<void> {
  for (const { shopifyLineItemId, quantity } of lines) {
    const hash = hashLineItem(shopifyLineItemId);
    const removed: [unknown[], number] = await manager.query(
      `delete from printed_lines where line_item_hash = $1 and quantity <= $2`,
      [hash, quantity],
    );
    if (removed[1] === 0)
      await manager.query(`update printed_lines set quantity = quantity - $2 where line_item_hash = $1`, [
        hash,
        quantity,
      ]);
  }
}
