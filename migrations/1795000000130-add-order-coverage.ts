import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The last change in the store that a reading of the order included, and the index by which a delivery about a fulfillment order finds its
 * order.
 */
export class AddOrderCoverage1795000000130 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      alter table storefront_orders add column covers_until timestamptz;
      create index print_orders_by_fulfillment_order on print_orders (shop_id, shopify_fulfillment_order_id);
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      drop index print_orders_by_fulfillment_order;
      alter table storefront_orders drop column covers_until;
    `);
  }
}
