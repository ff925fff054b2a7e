import type { App } from '../../app.ts';
import { migrate } from '../../database/migrate.ts';
import { requeueSetAside } from '../../inbox/set-aside.ts';
import { enqueue } from '../../jobs/enqueue.ts';
import { migrateQueue } from '../../jobs/migrate-queue.ts';
import { markPrintAccountWorking } from '../../shops/print-account/print-account.ts';
import { enqueueSyncCarrierService, enqueueSyncFulfillmentService } from '../../shops/enqueue-shop-jobs.ts';
import type { Finding, Fix } from './finding.ts';
import type { OpenInstallation } from './gather/open-installation.ts';
import { toSpoolFolder } from './gather/read-disk-facts.ts';

/** Returns the fixes of the findings without duplicates. */
export function listFixes(findings: readonly Finding[]): Fix[] {
  const fixes = findings.flatMap(({ fix }) => fix ?? []);
  return [...new Map(fixes.map((fix) => [JSON.stringify(fix), fix])).values()];
}

/** Describes a fix as an instruction, such as "run the migrations". */
export function describeFix(fix: Fix): string {
  if (fix.name === 'migrate') return 'run the migrations of this version';
  if (fix.name === 'store_events_set_aside') return 'store the print events that were set aside';
  if (fix.name === 'plan_lost_orders') return 'replan the orders that have no next step';
  if (fix.name === 'sync_carrier_service') return `register the carrier service of ${fix.shop}`;
  if (fix.name === 'sync_fulfillment_service') return `create the fulfillment service of ${fix.shop} again`;
  return `resume the orders of print account ${fix.accountId}`;
}

/** Applies one fix. Some fixes only enqueue a job, which a worker runs later. Throws the fix's errors. */
export async function applyFix({ app, databaseUrl }: OpenInstallation, fix: Fix): Promise<void> {
  // The disk check can suggest a fix even if the database could not be opened. That fix then fails.
  if (app === null || databaseUrl === null) throw new Error('the installation is not open');
  if (fix.name === 'migrate') return migrateAll(app, databaseUrl);
  if (fix.name === 'store_events_set_aside') return requeueSetAside(toSpoolFolder(app.config.home));
  if (fix.name === 'plan_lost_orders') return enqueue(app.db, 'catch_up_lost_jobs', {});
  if (fix.name === 'sync_carrier_service') return enqueueSyncCarrierService(app.db, fix.shopId);
  if (fix.name === 'sync_fulfillment_service') return enqueueSyncFulfillmentService(app.db, fix.shopId);
  return markPrintAccountWorking(app, fix.accountId);
}

async function migrateAll({ db }: App, databaseUrl: string): Promise<void> {
  await migrate(db);
  await migrateQueue(databaseUrl);
}
