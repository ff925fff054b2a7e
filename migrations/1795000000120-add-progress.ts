import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When the print service last showed another status of a print order: one without progress for weeks asks for a person. */
export class AddProgress1795000000120 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table print_orders add column progress_at timestamptz');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table print_orders drop column progress_at');
  }
}
