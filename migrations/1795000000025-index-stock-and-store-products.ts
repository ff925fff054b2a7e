import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The shops that print a product, for an event about its stock; and a shop's store products in the order of the list. */
export class IndexStockAndStoreProducts1795000000025 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
create index print_links_by_product on print_links (shop_id, product_uid);
create index print_links_by_envelope on print_links (shop_id, envelope_product_uid) where envelope_product_uid is not null;
create index store_products_listed on store_products (shop_id, id);
`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
drop index store_products_listed;
drop index print_links_by_envelope;
drop index print_links_by_product;
`);
  }
}
