import type { QueryRunner } from 'typeorm';
import type { DescribedMigration } from '../src/database/upgrade/described-migration.ts';

/** Adds the numbers of references, which are counted per fulfillment order, and when an order was rebuilt. */
export class AddReferenceNumbers implements DescribedMigration {
  name = 'AddReferenceNumbers1795000000360';
  about = 'Adds the numbers of references, which are counted per fulfillment order, and when an order was rebuilt.';
  effects = { storefront_orders: { lock: 'ACCESS EXCLUSIVE', work: 'reads' } } as const;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table storefront_orders add column reference_numbers jsonb not null default '{}',
      add column reconciled_at timestamptz,
      add column reconciled_account_id int`);
    await runner.query(`create index storefront_orders_reconciled_at_idx on storefront_orders (shop_id, reconciled_at)
      where reconciled_at is not null`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'alter table storefront_orders drop column reference_numbers, drop column reconciled_at, drop column reconciled_account_id',
    );
  }
}
