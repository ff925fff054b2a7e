import type { QueryRunner } from 'typeorm';
import type { DescribedMigration } from '../src/database/upgrade/described-migration.ts';

/** Adds the time since when a store has not shown the buyers' requests to remove items. Null: the store shows them. */
export class AddHiddenEditRequests implements DescribedMigration {
  name = 'AddHiddenEditRequests1795000000285';
  about = "Adds the time since when a store has not shown the buyers' requests to remove items.";
  effects = { shops: { lock: 'ACCESS EXCLUSIVE', work: 'none' } } as const;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table shops add column edit_requests_hidden_at timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table shops drop column edit_requests_hidden_at');
  }
}
