import type { QueryRunner } from 'typeorm';
import type { DescribedMigration } from '../src/database/upgrade/described-migration.ts';

/** Adds whether the print service refused a request for which it would have charged. */
export class AddChargeRefused implements DescribedMigration {
  name = 'AddChargeRefused1795000000340';
  about = 'Adds whether the print service refused a request for which it would have charged.';
  effects = { print_accounts: { lock: 'ACCESS EXCLUSIVE', work: 'none' } } as const;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table print_accounts add column charge_refused boolean not null default false');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table print_accounts drop column charge_refused');
  }
}
