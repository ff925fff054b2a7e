import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The print service's stock of the products that a shop's print links name. */
export class AddProductStock1795000000012 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
create table product_stock (
  shop_id integer not null references shops on delete cascade,
  product_uid text not null,
  stock_region_uid text not null,
  status text not null,
  replenishment_date text,
  changed_at timestamptz not null,
  read_at timestamptz not null,
  primary key (shop_id, product_uid, stock_region_uid)
);
`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop table product_stock');
  }
}
