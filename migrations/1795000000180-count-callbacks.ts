import type { QueryRunner } from 'typeorm';
import type { DescribedMigration } from '../src/database/upgrade/described-migration.ts';

/**
 * Adds the hourly counts of the calls that a shop's store and print service make, and an index for the answers to fulfillment requests
 * (docs/decisions/0047-callbacks-are-counted-by-the-hour.md).
 */
export class CountCallbacks implements DescribedMigration {
  name = 'CountCallbacks1795000000180';
  about = 'Creates the hourly counts of the calls that stores and the print service make, from the stored deliveries.';
  effects = {
    shops: { lock: 'SHARE ROW EXCLUSIVE', work: 'none' },
    deliveries: { lock: 'ACCESS SHARE', work: 'reads' },
    timeline_entries: { lock: 'SHARE', work: 'reads' },
  } as const;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table callback_hours (
        shop_id integer references shops on delete cascade,
        kind text check (kind in ('webhook', 'callback', 'event', 'rates')),
        hour timestamptz,
        answered integer not null default 0,
        failed integer not null default 0,
        durations integer[] not null default '{}',
        last_answered_at timestamptz,
        primary key (shop_id, kind, hour)
      )`);
    await runner.query('create index callback_hours_by_age on callback_hours (hour)');
    // The time of the last delivery of each kind is known, but not how many calls failed. Earlier calls are therefore not counted.
    await runner.query(`
      insert into callback_hours (shop_id, kind, hour, last_answered_at)
      select shop_id, kind, date_trunc('hour', at), at from (
        select shop_id, case when source = 'print' then 'event' when topic = 'fulfillment_order_notification' then 'callback' else 'webhook' end as kind,
          max(received_at) as at
        from deliveries group by 1, 2) as last`);
    await runner.query(`
      create index timeline_entries_of_requests on timeline_entries (shop_id, at)
      where kind in ('accepted', 'rejected', 'request_waits', 'cancellation_accepted', 'cancellation_rejected', 'cancellation_waits')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index timeline_entries_of_requests');
    await runner.query('drop table callback_hours');
  }
}
