import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the shipping method that a person chose for an order. Null: the shop's rules choose the method. */
export class AddShippingChoice implements MigrationInterface {
  name = 'AddShippingChoice1795000000160';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table storefront_orders add column shipping_choice jsonb');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table storefront_orders drop column shipping_choice');
  }
}
