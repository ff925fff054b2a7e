import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When the print service last showed a new status of a print order: one without progress for weeks is held for a decision. */
export class AddProgress1795000000120 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table print_orders add column progress_at timestamptz');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table print_orders drop column progress_at');
  }
}
