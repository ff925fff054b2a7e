import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Earlier values of the setting printFileProperty and until when they applied: orders from that time have their files in these properties.
 */
export class AddFormerPrintFileProperties1795000000028 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`alter table shops add column former_print_file_properties jsonb not null default '[]'`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table shops drop column former_print_file_properties');
  }
}
