import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A write that is based on outdated rows fails with the code of a serialization failure. */
export class RefuseOutdatedWrites1795000000125 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`create function platen_outdated() returns text language plpgsql as $$
      begin
        raise exception 'the rows of the order have changed since they were read' using errcode = 'serialization_failure';
      end $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop function platen_outdated()');
  }
}
