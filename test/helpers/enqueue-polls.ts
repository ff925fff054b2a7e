import type { App } from '../../src/app.ts';
import { enqueueAll, toJob } from '../../src/jobs/enqueue.ts';
import type { TaskName, TaskPayloads } from '../../src/jobs/tasks.ts';

const POLLS: readonly [TaskName, TaskPayloads[TaskName]][] = [
  ['catch_up_shops', { pass: 'catch_up_storefront_orders' }],
  ['catch_up_shops', { pass: 'catch_up_fulfillment_requests' }],
  ['catch_up_print_orders', {}],
  ['catch_up_uncertain', {}],
  ['catch_up_packages', {}],
  ['catch_up_store_updates', {}],
  ['catch_up_lost_jobs', {}],
  ['audit_print_accounts', {}],
  ['check_stuck', {}],
];

/** Enqueues every poll that follows orders. */
export async function enqueuePolls({ db }: Pick<App, 'db'>): Promise<void> {
  await enqueueAll(
    db,
    POLLS.map(([task, payload]) => toJob(task, payload)),
  );
}
