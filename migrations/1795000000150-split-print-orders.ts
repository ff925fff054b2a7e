import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Moves columns that few print orders use to separate tables, and merges hold codes. The old columns stay, because processes of the
 * previous version still read them during a rollout (docs/decisions/0039-columns-leave-in-two-steps.md).
 */
export class SplitPrintOrders implements MigrationInterface {
  name = 'SplitPrintOrders1795000000150';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table print_order_differences (
        print_order_id bigint primary key references print_orders on delete cascade,
        draft_edit text,
        accepted_draft_edit text,
        order_change text,
        accepted_order_change text
      )`);
    await runner.query(`
      insert into print_order_differences
      select id, draft_edit, accepted_draft_edit, present_change, accepted_change from print_orders
      where num_nonnulls(draft_edit, accepted_draft_edit, present_change, accepted_change) > 0`);
    await runner.query(`
      create table service_comments (
        print_order_id bigint references print_orders on delete cascade,
        item_reference_id text,
        status text not null,
        comment text not null,
        primary key (print_order_id, item_reference_id)
      )`);
    await runner.query(`
      insert into service_comments
      select id, '', service_comment_status, service_comment from print_orders
      where service_comment is not null and service_comment_status is not null
      union all
      select print_order_id, item_reference_id, service_comment_status, service_comment from print_order_lines
      where service_comment is not null and service_comment_status is not null`);
    // A comment may repeat personal data, and later erasures clear only the new table.
    await runner.query('update print_orders set service_comment = null where service_comment is not null');
    await runner.query('update print_order_lines set service_comment = null where service_comment is not null');
    await runner.query(`
      update print_orders set cancel_refused_why = 'the print service refused to cancel it'
      where cancel_refused_at is not null and cancel_refused_why is null`);
    // These messages also identify holds that someone has resolved, so a new wording would open the holds again.
    await runner.query(`
      update holds set message = regexp_replace(regexp_replace(message,
        '^The print service has an order (\\S+) of this sale that is not known here\\.$',
        'The print service has the order \\1, which belongs to this order but is unknown to Platen.'),
        '^The print service has an order under (\\S+) that is not known here: (.*)$',
        'The print service has an order under \\1 that Platen does not know: \\2')
      where code = 'unknown_print_order'`);
    await runner.query("update poll_passes set pass = 'catch_up_store_updates' where pass = 'catch_up_tellings'");
    await runner.query(`
      update holds set code = case code when 'state_missing' then 'address_missing_field' else 'service_on_hold' end
      where resolved_at is null
        and code in ('state_missing', 'service_pending_approval', 'service_pending_personalization', 'service_not_connected')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table service_comments, print_order_differences');
  }
}
