import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What the last check of a variant was based on, to compare with the current state (variants checked before are checked once more); and
 * whether the store then had it at Platen's location, which distinguishes a removed variant from one that was never stocked.
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
