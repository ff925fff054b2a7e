import type { QueryRunner } from 'typeorm';
import type { DescribedMigration } from '../src/database/upgrade/described-migration.ts';

/** Adds the time when a person last saved an order's address in Platen. Null: nobody has. */
export class AddAddressCorrection implements DescribedMigration {
  name = 'AddAddressCorrection1795000000310';
  about = "Adds the time when a person last saved an order's address in Platen.";
  effects = { storefront_orders: { lock: 'ACCESS EXCLUSIVE', work: 'none' } } as const;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table storefront_orders add column address_corrected_at timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table storefront_orders drop column address_corrected_at');
  }
}
