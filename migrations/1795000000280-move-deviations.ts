import type { QueryRunner } from 'typeorm';
import type { DescribedMigration } from '../src/database/upgrade/described-migration.ts';

const COLUMNS = [
  'released_at',
  'draft_edit',
  'accepted_draft_edit',
  'cancel_refused_at',
  'cancel_refused_why',
  'present_change',
  'accepted_change',
];

const list = (prefix: string): string => COLUMNS.map((column) => `${prefix}${column}`).join(', ');

/**
 * Moves columns of `print_orders` that most print orders leave empty to the table `deviations`. The old columns stay, because processes of
 * the previous version still use them during a rollout. Triggers copy each change to the other table in the same transaction. A later
 * version drops the old columns and the triggers (docs/decisions/0039-columns-leave-in-two-steps.md).
 */
export class MoveDeviations implements DescribedMigration {
  name = 'MoveDeviations1795000000280';
  about =
    'Moves columns that are empty for most print orders to a separate table, and keeps the old columns up to date.';
  effects = { print_orders: { lock: 'SHARE ROW EXCLUSIVE', work: 'reads' } } as const;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table deviations (
        print_order_id bigint primary key references print_orders on delete cascade,
        released_at timestamptz,
        draft_edit text,
        accepted_draft_edit text,
        cancel_refused_at timestamptz,
        cancel_refused_why text,
        present_change text,
        accepted_change text
      )`);
    // Each function writes only values that differ, so the triggers do not call each other endlessly.
    await runner.query(`
      create function platen_copy_to_deviations() returns trigger language plpgsql as $$
      begin
        insert into deviations as d (print_order_id, ${list('')}) values (new.id, ${list('new.')})
        on conflict (print_order_id) do update set ${COLUMNS.map((column) => `${column} = excluded.${column}`).join(', ')}
        where (${list('d.')}) is distinct from (${list('excluded.')});
        return null;
      end $$`);
    await runner.query(`
      create function platen_copy_from_deviations() returns trigger language plpgsql as $$
      begin
        update print_orders p set ${COLUMNS.map((column) => `${column} = new.${column}`).join(', ')}
        where p.id = new.print_order_id and (${list('p.')}) is distinct from (${list('new.')});
        return null;
      end $$`);
    await runner.query(`
      create trigger copy_to_deviations after update of ${list('')} on print_orders
      for each row when ((${list('old.')}) is distinct from (${list('new.')})) execute function platen_copy_to_deviations()`);
    await runner.query(`
      insert into deviations (print_order_id, ${list('')})
      select id, ${list('')} from print_orders where coalesce(${COLUMNS.map((column) => `${column}::text`).join(', ')}) is not null`);
    await runner.query(`
      create trigger copy_from_deviations after insert or update on deviations
      for each row execute function platen_copy_from_deviations()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop trigger copy_to_deviations on print_orders');
    await runner.query('drop table deviations');
    await runner.query('drop function platen_copy_to_deviations(), platen_copy_from_deviations()');
  }
}
