import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Since when a store is left: also one whose tokens are refused meanwhile takes orders anew from its next sign-in on. */
export class AddLeftAt1795000000027 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table shops add column left_at timestamptz');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table shops drop column left_at');
  }
}
