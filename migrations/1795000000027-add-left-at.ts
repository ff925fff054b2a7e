import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Since when a store is left: even if its tokens are refused meanwhile, it takes orders again only from its next sign-in. */
export class AddLeftAt1795000000027 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table shops add column left_at timestamptz');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table shops drop column left_at');
  }
}
