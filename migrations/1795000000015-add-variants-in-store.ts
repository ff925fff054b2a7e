import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What Platen changed in a store's variants, with their state before; and shops whose store is being left. */
export class AddVariantsInStore1795000000015 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
create table variants_in_store (
  shop_id integer not null references shops on delete cascade,
  shopify_variant_id text not null,
  title text,
  inventory_item_id text,
  print_link_id bigint,
  product_uids text[] not null default '{}',
  stocked_at timestamptz,
  location_id text,
  location_asked boolean not null default false,
  location_problem jsonb,
  found jsonb,
  hidden_at timestamptz,
  stock_note jsonb,
  due_at timestamptz,
  looked_at timestamptz,
  primary key (shop_id, shopify_variant_id)
);
create index variants_in_store_due on variants_in_store (shop_id, shopify_variant_id) where due_at is not null;
alter table shops drop constraint shops_state_check;
alter table shops add constraint shops_state_check check (state in ('installed', 'uninstalled', 'needs_sign_in', 'leaving'));
`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
drop table variants_in_store;
update shops set state = 'needs_sign_in', signed_out_at = now() where state = 'leaving';
alter table shops drop constraint shops_state_check;
alter table shops add constraint shops_state_check check (state in ('installed', 'uninstalled', 'needs_sign_in'));
`);
  }
}
