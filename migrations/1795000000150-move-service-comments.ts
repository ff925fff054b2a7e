import type { QueryRunner } from 'typeorm';
import type { DescribedMigration } from '../src/database/upgrade/described-migration.ts';

/**
 * Moves the print service's comments, which few print orders have, to a table of their own, and renames a hold code and a poll. The old
 * columns stay, because processes of the previous version still use them during a rollout
 * (docs/decisions/0039-columns-leave-in-two-steps.md).
 */
export class MoveServiceComments implements DescribedMigration {
  name = 'MoveServiceComments1795000000150';
  about = "Moves the print service's comments to a separate table, and renames a hold code and a poll.";
  effects = {
    print_orders: { lock: 'SHARE ROW EXCLUSIVE', work: 'writes' },
    print_order_lines: { lock: 'ROW EXCLUSIVE', work: 'writes' },
    holds: { lock: 'ROW EXCLUSIVE', work: 'writes' },
    poll_passes: { lock: 'ROW EXCLUSIVE', work: 'writes' },
  } as const;

  async up(runner: QueryRunner): Promise<void> {
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
    // A comment may repeat personal data, so no copy is left behind.
    await runner.query('update print_orders set service_comment = null where service_comment is not null');
    await runner.query('update print_order_lines set service_comment = null where service_comment is not null');
    // These messages also identify holds that someone has resolved, so a new wording alone would reopen those holds.
    await runner.query(`
      update holds set message = regexp_replace(regexp_replace(message,
        '^The print service has an order (\\S+) of this sale that is not known here\\.$',
        'The print service has the order \\1, which belongs to this order but is unknown to Platen.'),
        '^The print service has an order under (\\S+) that is not known here: (.*)$',
        'The print service has an order under \\1 that Platen does not know: \\2')
      where code = 'unknown_print_order'`);
    await runner.query("update poll_passes set pass = 'catch_up_store_updates' where pass = 'catch_up_tellings'");
    await runner.query(`
      update holds set code = 'address_missing_field' where code = 'state_missing' and resolved_at is null`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table service_comments');
  }
}
