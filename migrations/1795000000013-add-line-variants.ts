import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The variant of each order line, for the case that the store deletes it; and print links of variants by their SKU. */
export class AddLineVariants1795000000013 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
alter table storefront_orders add column line_variants jsonb not null default '{}';
create index print_links_of_variants_by_sku on print_links (shop_id, sku) where shopify_variant_id is not null;
`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
drop index print_links_of_variants_by_sku;
alter table storefront_orders drop column line_variants;
`);
  }
}
