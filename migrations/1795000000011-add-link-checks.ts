import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The problems of a print link, as its last check found them, and when it is checked next. */
export class AddLinkChecks1795000000011 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
alter table print_links add column check_at timestamptz, add column checked_at timestamptz, add column problems jsonb not null default '[]';
create index print_links_to_check on print_links (shop_id, check_at) where check_at is not null;
`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
drop index print_links_to_check;
alter table print_links drop column check_at, drop column checked_at, drop column problems;
`);
  }
}
