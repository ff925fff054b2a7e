import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What was written about connections to metafields of a shop's products and variants, and print links that came from metafields. */
export class AddProductMetafields1795000000014 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
create table connection_metafields (
  shop_id integer not null references shops on delete cascade,
  owner_id text not null,
  value text,
  written_at timestamptz,
  refused_value text,
  refused_at timestamptz,
  primary key (shop_id, owner_id)
);
create table link_metafield_problems (
  shop_id integer not null references shops on delete cascade,
  shopify_variant_id text not null,
  problems jsonb not null,
  read_at timestamptz not null,
  primary key (shop_id, shopify_variant_id)
);
alter table print_links add column source text not null default 'merchant' check (source in ('merchant', 'metafields'));
alter table shops add column link_metafields_read_to text;
`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
alter table shops drop column link_metafields_read_to;
alter table print_links drop column source;
drop table link_metafield_problems, connection_metafields;
`);
  }
}
