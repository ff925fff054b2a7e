import type { QueryRunner } from 'typeorm';
import type { DescribedMigration } from '../src/database/upgrade/described-migration.ts';

/** Adds the time at which a shop dismissed the setup guide. Null: the guide is shown. */
export class AddGuideDismissal implements DescribedMigration {
  name = 'AddGuideDismissal1795000000210';
  about = 'Adds the time at which a shop dismissed the setup guide.';
  effects = { shops: { lock: 'ACCESS EXCLUSIVE', work: 'none' } } as const;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table shops add column guide_dismissed_at timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table shops drop column guide_dismissed_at');
  }
}
