import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The product of each order line, so that a hold can link to it in the store's admin. */
export class AddLineProducts1795000000020 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table order_lines add column shopify_product_id text');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table order_lines drop column shopify_product_id');
  }
}
