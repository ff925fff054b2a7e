import type { QueryRunner } from 'typeorm';
import type { DescribedMigration } from '../src/database/upgrade/described-migration.ts';

/** Adds the locations that were Platen's before. */
export class RememberEarlierInstallation implements DescribedMigration {
  name = 'RememberEarlierInstallation1795000000330';
  about = "Adds Platen's former locations.";
  effects = {
    shops: { lock: 'ACCESS EXCLUSIVE', work: 'none' },
  } as const;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table shops add column former_location_ids jsonb not null default '[]'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table shops drop column former_location_ids');
  }
}
