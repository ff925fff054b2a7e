import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The interface and host of a print order, which never change, and the envelopes of a print link. */
export class AddPrintInterfaces1795000000002 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
alter table print_orders
  add column print_interface text not null default 'current' check (print_interface in ('current', 'v2', 'v1')),
  add column legacy_host text not null default 'live' check (legacy_host in ('live', 'test'));

alter table print_links
  add column envelope_product_uid text,
  add column envelopes_per_piece integer check (envelopes_per_piece > 0),
  add check ((envelope_product_uid is null) = (envelopes_per_piece is null));

alter table print_order_lines
  add column envelope_product_uid text,
  add column envelope_quantity integer check (envelope_quantity > 0),
  add check ((envelope_product_uid is null) = (envelope_quantity is null));
`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
alter table print_order_lines drop column envelope_product_uid, drop column envelope_quantity;
alter table print_links drop column envelope_product_uid, drop column envelopes_per_piece;
alter table print_orders drop column print_interface, drop column legacy_host;
`);
  }
}
