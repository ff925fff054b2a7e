import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The units of each line that an approval covers: lines that are added later need another approval. */
export class AddApprovedUnits1795000000090 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table storefront_orders add column approved_units jsonb');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table storefront_orders drop column approved_units');
  }
}
