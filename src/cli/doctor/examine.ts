import { PlatenError } from '../../errors.ts';
import { withTimeLimit } from '../../http/with-time-limit.ts';
import type { App } from '../../app.ts';
import { codeOf } from './code-of.ts';
import { findingsOf, type CheckName, type Finding } from './finding.ts';
import { findAddressProblems } from './find/find-address-problems.ts';
import { findAppProblems } from './find/find-app-problems.ts';
import { findClockProblems } from './find/find-clock-problems.ts';
import { findConfigurationProblems } from './find/find-configuration-problems.ts';
import { findDatabaseProblems, findMigrationProblems } from './find/find-database-problems.ts';
import { findDiskProblems } from './find/find-disk-problems.ts';
import { findKeyProblems } from './find/find-key-problems.ts';
import { findAlerts, findPollProblems, findQueueProblems } from './find/find-queue-problems.ts';
import { findShopProblems } from './find/find-shop-problems.ts';
import type { OpenInstallation } from './gather/open-installation.ts';
import { readAddressFacts } from './gather/read-address-facts.ts';
import { readAppFacts } from './gather/read-app-facts.ts';
import { readClockFacts } from './gather/read-clock-facts.ts';
import { readDatabaseFacts, readMigrationFacts } from './gather/read-database-facts.ts';
import { readDiskFacts } from './gather/read-disk-facts.ts';
import { readKeyFacts } from './gather/read-key-facts.ts';
import { readShopFacts, type UncheckedShop } from './gather/read-shop-facts.ts';
import { readAlertFacts, readPollFacts, readQueueFacts } from './gather/read-work-facts.ts';
import { systemClock } from '../../clock.ts';

const MAX_MS = 120_000;
const MAX_SHOPS_MS = 600_000;

/** Runs all checks that the opened parts of the installation allow. A check that cannot be completed becomes a finding. */
export async function examine(installation: OpenInstallation): Promise<Finding[]> {
  const { configuration, config, app, db, problem } = installation;
  const found = findConfigurationProblems(configuration);
  if (problem !== null) found.push(problem);
  if (config !== null)
    found.push(
      ...(await runCheck('disk', async () =>
        findDiskProblems(await readDiskFacts(config.home, (app?.clock ?? systemClock).now())),
      )),
    );
  if (db !== null) {
    found.push(...(await runCheck('database', async () => findDatabaseProblems(await readDatabaseFacts(db)))));
    const migrations = await runCheck('migrations', async () => findMigrationProblems(await readMigrationFacts(db)));
    found.push(...migrations);
    // The other checks read tables that a pending migration may have to create or change first.
    if (app !== null && migrations.every(({ level }) => level !== 'error')) found.push(...(await examineApp(app)));
  }
  if (config !== null)
    found.push(
      ...(await runCheck('address', async () => findAddressProblems(await readAddressFacts(config.shopify.appUrl)))),
    );
  return found;
}

async function examineApp(app: App): Promise<Finding[]> {
  return [
    ...(await runCheck('clock', async () => findClockProblems(await readClockFacts(app)))),
    ...(await runCheck('keys', async () => findKeyProblems(await readKeyFacts(app)))),
    ...(await runCheck('queue', async () => findQueueProblems(await readQueueFacts(app)))),
    ...(await runCheck('polls', async () => findPollProblems(await readPollFacts(app)))),
    ...(await runCheck('alerts', async () => findAlerts(await readAlertFacts(app)))),
    ...(await runCheck('app', async () => findAppProblems(await readAppFacts(app)))),
    ...(await runCheck('shop', () => examineShops(app), MAX_SHOPS_MS)),
  ];
}

async function examineShops(app: App): Promise<Finding[]> {
  const found: Finding[] = [];
  for await (const facts of readShopFacts(app))
    found.push(...('failure' in facts ? [describeUnchecked(facts)] : findShopProblems(facts)));
  if (found.length > 0) return found;
  return [findingsOf('shop').ok({ subject: 'shops', message: 'Platen is not installed in any shop yet.' })];
}

function describeUnchecked({ domain: subject, failure }: UncheckedShop): Finding {
  const remedy = 'Resolve the other findings first, and then run the command again.';
  return findingsOf('shop').error({ subject, message: `The shop could not be checked (${failure}).`, remedy });
}

/** Runs one check within a time limit. If it fails, returns a finding with the error's code. Only Platen's own error messages are shown. */
async function runCheck(check: CheckName, act: () => Promise<Finding[]>, limitMs = MAX_MS): Promise<Finding[]> {
  try {
    return await withTimeLimit(systemClock, act(), limitMs);
  } catch (error) {
    const message = error instanceof PlatenError && error.code !== 'too_slow' ? ` ${error.message}` : '';
    return [
      findingsOf(check).error({
        subject: 'check',
        message: `This check failed (${codeOf(error)}).${message}`,
        remedy: 'Resolve the other findings first, and then run the command again. LOG_LEVEL=debug shows more details.',
      }),
    ];
  }
}
