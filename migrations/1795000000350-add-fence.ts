import type { QueryRunner } from 'typeorm';
import type { DescribedMigration } from '../src/database/upgrade/described-migration.ts';

/** Adds the fence that tells the databases of an installation apart. */
export class AddFence implements DescribedMigration {
  name = 'AddFence1795000000350';
  about = 'Adds the fence that tells the databases of an installation apart.';
  effects = {
    installation: { lock: 'ACCESS EXCLUSIVE', work: 'none' },
    shops: { lock: 'ACCESS EXCLUSIVE', work: 'none' },
  } as const;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'alter table installation add column fence_key text, add column is_alone boolean not null default false',
    );
    await runner.query(`alter table shops add column fence_key text, add column fence_epoch integer not null default 0,
      add column fenced_off_at timestamptz, add column quiet_until timestamptz`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table shops drop column fence_key, drop column fence_epoch, drop column fenced_off_at,
      drop column quiet_until`);
    await runner.query('alter table installation drop column fence_key, drop column is_alone');
  }
}
