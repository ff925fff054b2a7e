import type { QueryRunner } from 'typeorm';
import type { DescribedMigration } from '../src/database/upgrade/described-migration.ts';

/** Adds the shipping method that a person chose for an order. Null: the shop's rules choose the method. */
export class AddShippingChoice implements DescribedMigration {
  name = 'AddShippingChoice1795000000160';
  about = 'Adds the shipping method that a person chose for an order.';
  effects = { storefront_orders: { lock: 'ACCESS EXCLUSIVE', work: 'none' } } as const;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table storefront_orders add column shipping_choice jsonb');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table storefront_orders drop column shipping_choice');
  }
}
