import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds which of Platen's triggers a shop uses in enabled workflows of Shopify Flow. */
export class AddFlowTriggers implements MigrationInterface {
  name = 'AddFlowTriggers1795000000220';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table shops add column flow_triggers jsonb not null default '{}'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table shops drop column flow_triggers');
  }
}
