import type { QueryRunner } from 'typeorm';
import type { DescribedMigration } from '../src/database/upgrade/described-migration.ts';

/** Adds the time at which an order was paid. Null: the store has not reported it. */
export class AddPaidAt implements DescribedMigration {
  name = 'AddPaidAt1795000000200';
  about = 'Adds the time at which an order was paid.';
  effects = { storefront_orders: { lock: 'ACCESS EXCLUSIVE', work: 'none' } } as const;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table storefront_orders add column paid_at timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table storefront_orders drop column paid_at');
  }
}
