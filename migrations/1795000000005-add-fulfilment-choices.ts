import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Someone's decisions about an order, the choices made for it, and what was reported of it to the store. */
export class AddFulfilmentChoices1795000000005 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
alter table shops
  add column time_zone text,
  add column carrier_service_id text,
  add column rates_token_hash text,
  add column rates_problem text;
create unique index shops_rates_token_hash on shops (rates_token_hash) where rates_token_hash is not null;

alter table print_accounts add column payment_refused_at timestamptz, add column payment_probed_at timestamptz;

alter table storefront_orders
  add column approved_at timestamptz,
  add column approved_by text,
  add column approved_total text,
  add column release_at timestamptz,
  add column held_at timestamptz,
  add column held_by text,
  add column cancel_asked_at timestamptz,
  add column cancel_asked_by text,
  add column ask_again_at timestamptz,
  add column told jsonb not null default '{}';

alter table print_orders
  add column is_left_as_draft boolean not null default false,
  add column released_at timestamptz,
  add column draft_edit text,
  add column accepted_draft_edit text,
  add column cancel_refused_at timestamptz,
  add column cancel_refused_why text,
  add column print_again_at timestamptz,
  add column accepted_change text,
  add column present_change text,
  add column min_delivery_date text,
  add column max_delivery_date text,
  add column service_comment text,
  add column service_comment_status text,
  add column progress_reported_at timestamptz;
alter table print_order_lines
  add column service_comment text,
  add column service_comment_status text,
  add column print_again_at timestamptz,
  add column units_over integer not null default 0,
  add column units_again integer not null default 0;

alter table service_orders add column in_transit_at timestamptz, add column delivered_at timestamptz, add column returned_at timestamptz;
alter table fulfillments add column told_events text[] not null default '{}';
alter table packages add column replaced_at timestamptz, add column refused_at timestamptz;
`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
alter table packages drop column replaced_at, drop column refused_at;
alter table fulfillments drop column told_events;
alter table service_orders drop column in_transit_at, drop column delivered_at, drop column returned_at;
alter table print_order_lines
  drop column service_comment,
  drop column service_comment_status,
  drop column print_again_at,
  drop column units_over,
  drop column units_again;
alter table print_orders
  drop column is_left_as_draft,
  drop column released_at,
  drop column draft_edit,
  drop column accepted_draft_edit,
  drop column cancel_refused_at,
  drop column cancel_refused_why,
  drop column print_again_at,
  drop column accepted_change,
  drop column present_change,
  drop column min_delivery_date,
  drop column max_delivery_date,
  drop column service_comment,
  drop column service_comment_status,
  drop column progress_reported_at;
alter table storefront_orders
  drop column approved_at,
  drop column approved_by,
  drop column approved_total,
  drop column release_at,
  drop column held_at,
  drop column held_by,
  drop column cancel_asked_at,
  drop column cancel_asked_by,
  drop column ask_again_at,
  drop column told;
alter table print_accounts drop column payment_refused_at, drop column payment_probed_at;
drop index shops_rates_token_hash;
alter table shops
  drop column time_zone,
  drop column carrier_service_id,
  drop column rates_token_hash,
  drop column rates_problem;
`);
  }
}
