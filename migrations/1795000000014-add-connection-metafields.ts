import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What was written of the connections of a shop's variants to metafields of its products and variants. */
export class AddConnectionMetafields1795000000014 implements MigrationInterface {
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
`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop table connection_metafields');
  }
}
