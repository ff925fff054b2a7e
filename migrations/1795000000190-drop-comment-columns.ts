import type { QueryRunner } from 'typeorm';
import type { DescribedMigration } from '../src/database/upgrade/described-migration.ts';

/** Drops columns that the previous version no longer uses (docs/decisions/0039-columns-leave-in-two-steps.md). */
export class DropCommentColumns implements DescribedMigration {
  name = 'DropCommentColumns1795000000190';
  about = 'Drops the columns of comments that the previous version no longer uses.';
  effects = {
    print_orders: { lock: 'ACCESS EXCLUSIVE', work: 'none' },
    print_order_lines: { lock: 'ACCESS EXCLUSIVE', work: 'none' },
  } as const;
  breaksVersionsBefore = 'MoveServiceComments1795000000150';

  async up(runner: QueryRunner): Promise<void> {
    for (const table of ['print_orders', 'print_order_lines'])
      await runner.query(`alter table ${table} drop column service_comment, drop column service_comment_status`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['print_orders', 'print_order_lines'])
      await runner.query(
        `alter table ${table} add column service_comment text, add column service_comment_status text`,
      );
  }
}
