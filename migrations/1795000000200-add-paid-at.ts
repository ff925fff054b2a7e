import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the time at which an order was paid. Null: the store has not reported it. */
export class AddPaidAt implements MigrationInterface {
  name = 'AddPaidAt1795000000200';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table storefront_orders add column paid_at timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table storefront_orders drop column paid_at');
  }
}
