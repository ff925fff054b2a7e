import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Drops columns that the previous version no longer uses (docs/decisions/0039-columns-leave-in-two-steps.md). */
export class DropCommentColumns implements MigrationInterface {
  name = 'DropCommentColumns1795000000190';

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
