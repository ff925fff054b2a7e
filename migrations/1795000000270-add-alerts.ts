import type { QueryRunner } from 'typeorm';
import type { DescribedMigration } from '../src/database/upgrade/described-migration.ts';

/**
 * Adds the recipients of a shop's alerts, and a record of what has been reported to them. A channel has one row, not one per message, so
 * that everything new since the last message becomes one message.
 */
export class AddAlerts implements DescribedMigration {
  name = 'AddAlerts1795000000270';
  about = "Adds the recipients of a shop's alerts, and a record of what has been reported to them.";
  effects = { shops: { lock: 'ACCESS EXCLUSIVE', work: 'none' } } as const;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table shops add column alert_slack_url_encrypted text');
    await runner.query(`
      create table alert_channels (
        shop_id integer not null references shops on delete cascade,
        channel text not null check (channel in ('email', 'slack')),
        -- Holds up to this time have been reported. Null: none.
        reported_until timestamptz,
        -- The reported problems, each with the second in which it began.
        reported jsonb not null default '{}',
        digest_at timestamptz not null,
        alerted_at timestamptz,
        -- Until then, the channel is claimed by a sender or waits after a failure.
        next_try_at timestamptz,
        tries integer not null default 0,
        problem text,
        failed_at timestamptz,
        primary key (shop_id, channel)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table alert_channels');
    await runner.query('alter table shops drop column alert_slack_url_encrypted');
  }
}
