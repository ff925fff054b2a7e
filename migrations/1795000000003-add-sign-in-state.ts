import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A shop's install of the app, when it signed in and lost its sign-in, and since when its Admin API refuses this server. */
export class AddSignInState1795000000003 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
alter table shops
  add column admin_refused_at timestamptz,
  add column app_installation_id text,
  add column signed_in_at timestamptz not null default now(),
  add column signed_out_at timestamptz;
update shops set signed_in_at = installed_at, signed_out_at = case when state = 'needs_sign_in' then now() end;
`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
alter table shops
  drop column admin_refused_at,
  drop column app_installation_id,
  drop column signed_in_at,
  drop column signed_out_at;
`);
  }
}
