import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What tells whose turn it is to be read again: the SKU that a variant was looked at with (those that were looked at before are looked at
 * once more), when a store of the print service was listed, and how far a shop's stock was read. And a receipt is kept for each order of
 * the service that shows it.
 */
export class ReadInTurn1795000000023 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
alter table variants_in_store add sku text;
update variants_in_store set due_at = now() where due_at is null;
alter table print_stores add listed_at timestamptz;
alter table shops add stock_read_to text;
alter table print_receipts drop constraint print_receipts_pkey, add primary key (print_order_id, service_order_id, receipt_id);
`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
delete from print_receipts r using print_receipts s
  where r.print_order_id = s.print_order_id and r.receipt_id = s.receipt_id and r.service_order_id > s.service_order_id;
alter table print_receipts drop constraint print_receipts_pkey, add primary key (print_order_id, receipt_id);
alter table shops drop stock_read_to;
alter table print_stores drop listed_at;
alter table variants_in_store drop sku;
`);
  }
}
