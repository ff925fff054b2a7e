import type { QueryRunner } from 'typeorm';
import type { DescribedMigration } from '../src/database/upgrade/described-migration.ts';

/**
 * Gives the table of due store updates the name that the code uses. A view keeps the old name, because processes of the previous version
 * use it during a rollout. A later version drops the view (docs/decisions/0039-columns-leave-in-two-steps.md).
 */
export class RenameStoreUpdatesDue implements DescribedMigration {
  name = 'RenameStoreUpdatesDue1795000000290';
  about = 'Renames the table of due store updates, and keeps its old name as a view.';
  effects = { tells_due: { lock: 'ACCESS EXCLUSIVE', work: 'none' } } as const;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table tells_due rename to store_updates_due');
    await runner.query('alter index tells_due_by_time rename to store_updates_due_by_time');
    await runner.query('create view tells_due as select * from store_updates_due');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop view tells_due');
    await runner.query('alter index store_updates_due_by_time rename to tells_due_by_time');
    await runner.query('alter table store_updates_due rename to tells_due');
  }
}
