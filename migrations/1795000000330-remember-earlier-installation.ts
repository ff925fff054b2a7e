import type { QueryRunner } from 'typeorm';
import type { DescribedMigration } from '../src/database/upgrade/described-migration.ts';

/** Adds the locations that were Platen's before, and the result of the search for print orders of an earlier installation. */
export class RememberEarlierInstallation implements DescribedMigration {
  name = 'RememberEarlierInstallation1795000000330';
  about = "Adds Platen's former locations, and the search for print orders of an earlier installation.";
  effects = {
    shops: { lock: 'ACCESS EXCLUSIVE', work: 'none' },
    storefront_orders: { lock: 'ACCESS EXCLUSIVE', work: 'none' },
  } as const;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table shops add column former_location_ids jsonb not null default '[]'`);
    await runner.query('alter table storefront_orders add column earlier_search jsonb');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table storefront_orders drop column earlier_search');
    await runner.query('alter table shops drop column former_location_ids');
  }
}
