import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Orders with a part that waits while the rest is printed: the poll rechecks them, and they are few. */
export class IndexOrdersThatWaitInPart1795000000110 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `create index storefront_orders_waiting_in_part on storefront_orders (shop_id, outcome_reason)
       where outcome = 'planned' and outcome_reason is not null`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop index storefront_orders_waiting_in_part');
  }
}
