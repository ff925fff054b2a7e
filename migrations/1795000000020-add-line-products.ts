import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which product each line of an order is of, so that a hold can lead to it in the store's admin. */
export class AddLineProducts1795000000020 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table order_lines add column shopify_product_id text');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table order_lines drop column shopify_product_id');
  }
}
