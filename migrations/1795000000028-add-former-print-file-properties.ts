import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the setting printFileProperty named before, and until when: orders of then bring their files in it. */
export class AddFormerPrintFileProperties1795000000028 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`alter table shops add column former_print_file_properties jsonb not null default '[]'`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table shops drop column former_print_file_properties');
  }
}
