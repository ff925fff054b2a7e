import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How often a process died while it ran a job. There is no foreign key to the queue's own tables: the job may be gone. */
export class AddJobDeaths1795000000008 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
create table job_deaths (
  job_id bigint primary key,
  deaths integer not null,
  died_at timestamptz not null default now()
);
`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop table job_deaths');
  }
}
