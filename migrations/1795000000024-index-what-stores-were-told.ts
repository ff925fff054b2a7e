import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The orders of which a store still shows something from Platen, for undoing it; most orders of a shop no longer show anything. */
export class IndexWhatStoresWereTold1795000000024 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `create index storefront_orders_told on storefront_orders (shop_id, id) where told <> '{}'`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop index storefront_orders_told');
  }
}
