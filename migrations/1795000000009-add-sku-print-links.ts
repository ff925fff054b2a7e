import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Print links of a SKU, for every variant that has it and no print link of its own; and the variant of a held line. */
export class AddSkuPrintLinks1795000000009 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
alter table print_links alter column shopify_variant_id drop not null,
  add constraint print_links_of_something check (shopify_variant_id is not null or sku is not null);
create unique index print_links_by_sku on print_links (shop_id, sku) where shopify_variant_id is null;
create index print_links_by_shop on print_links (shop_id, id);
alter table order_lines add column if not exists shopify_variant_id text;
`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
alter table order_lines drop column if exists shopify_variant_id;
drop index print_links_by_shop;
drop index print_links_by_sku;
delete from print_links where shopify_variant_id is null;
alter table print_links drop constraint print_links_of_something, alter column shopify_variant_id set not null;
`);
  }
}
