import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Decides the order of reading: the SKU that a variant was last checked with (variants checked before are checked once more), when
 * a store of the print service was listed, and how far a shop's stock was read. Also, for a receipt, the service orders that show
 * it.
 */
export class ReadInTurn1795000000023 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
alter table variants_in_store add sku text;
update variants_in_store set due_at = now() where due_at is null;
alter table print_stores add listed_at timestamptz;
alter table shops add stock_read_to text;
alter table print_receipts add shown_by text[] not null default '{}';
`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
alter table print_receipts drop shown_by;
alter table shops drop stock_read_to;
alter table print_stores drop listed_at;
alter table variants_in_store drop sku;
`);
  }
}
