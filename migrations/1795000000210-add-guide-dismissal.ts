import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the time at which a shop dismissed the setup guide. Null: the guide is shown. */
export class AddGuideDismissal implements MigrationInterface {
  name = 'AddGuideDismissal1795000000210';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table shops add column guide_dismissed_at timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table shops drop column guide_dismissed_at');
  }
}
