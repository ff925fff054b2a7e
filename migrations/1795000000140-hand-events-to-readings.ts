import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The print order whose next reading handles an event, and the index by which the reading finds the event. There is no foreign key: it
 * would need an index of all deliveries, and an event of a deleted print order is removed by age.
 */
export class HandEventsToReadings1795000000140 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      alter table deliveries add column print_order_id bigint;
      create index deliveries_to_handle on deliveries (print_order_id) where handled_at is null and print_order_id is not null;
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      drop index deliveries_to_handle;
      alter table deliveries drop column print_order_id;
    `);
  }
}
