import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Products that a shop ships itself; and the order lines that may need printing once their product is linked. */
export class AddUnlinkedLines1795000000070 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
create table own_products (
  shop_id integer not null references shops on delete cascade,
  shopify_id text not null,
  said_by text not null,
  said_at timestamptz not null default now(),
  primary key (shop_id, shopify_id)
);
create index order_lines_unlinked_by_variant on order_lines (shopify_variant_id)
  where decision = 'not_ours' and reason in ('not_printed', 'own') and fulfilled_quantity < ordered_quantity;
create index order_lines_unlinked_by_sku on order_lines (sku)
  where decision = 'not_ours' and reason in ('not_printed', 'own') and fulfilled_quantity < ordered_quantity;
create index order_lines_not_linked_by_product on order_lines (shopify_product_id) where reason = 'not_linked';
`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
drop index order_lines_not_linked_by_product, order_lines_unlinked_by_sku, order_lines_unlinked_by_variant;
drop table own_products;
`);
  }
}
