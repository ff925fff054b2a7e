import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What a look at a variant went by, to be compared with what is there now (those that were looked at before are looked at once more); and
 * whether the store had it at Platen's location then, which tells what somebody has taken away from what was never sent.
 */
export class AddWhatLooksSaw1795000000026 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
alter table variants_in_store add connection_seen timestamptz, add stock_seen text, add regions_seen text[],
  add stocked_seen boolean not null default false;
`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
alter table variants_in_store drop connection_seen, drop stock_seen, drop regions_seen, drop stocked_seen;
`);
  }
}
