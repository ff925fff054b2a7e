import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Distinguishes stock from a reading, which covers every region, from stock that only events reported. */
export class AddStockReading1795000000018 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
alter table product_stock add is_read boolean not null default false;
update product_stock set is_read = true from shops s
  where s.id = shop_id and coalesce((s.settings->>'extendedCalls')::boolean, true);
`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table product_stock drop is_read');
  }
}
