import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the print service charged for a print order, what the buyer paid for an order, and the list of both by shop. */
export class AddCosts1795000000016 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
create table print_receipts (
  print_order_id bigint not null references print_orders on delete cascade,
  receipt_id text not null,
  service_order_id text not null,
  receipt jsonb not null,
  billing_entity jsonb,
  seen_at timestamptz not null,
  primary key (print_order_id, receipt_id)
);
create table order_sales (
  storefront_order_id bigint primary key references storefront_orders on delete cascade,
  sale jsonb not null,
  mark text not null,
  read_at timestamptz not null
);
create index print_orders_ordered on print_orders (shop_id, confirmed_at, id) where confirmed_at is not null;
`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop index print_orders_ordered; drop table order_sales; drop table print_receipts');
  }
}
