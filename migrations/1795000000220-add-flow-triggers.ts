import type { QueryRunner } from 'typeorm';
import type { DescribedMigration } from '../src/database/upgrade/described-migration.ts';

/** Adds which of Platen's triggers a shop uses in enabled workflows of Shopify Flow. */
export class AddFlowTriggers implements DescribedMigration {
  name = 'AddFlowTriggers1795000000220';
  about = "Adds the list of Platen's triggers that a shop uses in Shopify Flow.";
  effects = { shops: { lock: 'ACCESS EXCLUSIVE', work: 'none' } } as const;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table shops add column flow_triggers jsonb not null default '{}'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table shops drop column flow_triggers');
  }
}
