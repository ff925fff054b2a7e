import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When the metafields of each variant were last read is kept, also of those with which nothing is wrong. */
export class KeepLinkMetafieldReadings1795000000022 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table link_metafield_problems rename to link_metafield_readings');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table link_metafield_readings rename to link_metafield_problems');
  }
}
