import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { countRunners } from '../../jobs/runner/count-runners.ts';
import { countChangesToUndo, isUndoInProgress, type ChangesToUndo } from '../../orders/leave/count-changes-to-undo.ts';
import { refuseIfUnreachable, startLeaving } from '../../orders/leave/start-leaving.ts';
import { listAllVariantsInStore } from '../../products/variant-sync/list-variants-in-store.ts';
import type { OptionalScope } from '../../shopify/auth/access-scopes.ts';
import {
  describeChangesToUndo,
  describeUndoneChanges,
  describeLivePrintOrders,
  type DescribedChange,
} from './describe-changes-to-undo.ts';
import { waitForVariantSync } from '../wait-for-variant-sync.ts';
import { writeLine, writeJson } from '../../terminal.ts';
import { reportVariantsInStore } from '../products/location.ts';

const POLL_MS = 300;
/**
 * Platen can delete a draft only after the service shows it, so Platen may have to wait. After this time, the command stops waiting, and
 * the user can run it again.
 */
const MAX_WAIT_MS = 120_000;

interface Options {
  yes: boolean;
  'no-wait': boolean;
  json: boolean;
}

/** `platen leave`: undoes all changes that Platen has made in a shop, before an uninstall. Without `--yes`, only lists the changes. */
export async function leave(options: Options, app: App, shop: Shop): Promise<void> {
  refuseIfUnreachable(shop);
  const before = await countChangesToUndo(app, shop);
  if (options.yes) await startLeaving(app, shop);
  if (options.yes && !options['no-wait']) await waitUntilUndone(app, shop);
  const left = options.yes ? await countChangesToUndo(app, shop) : before;
  if (options.json) return writeJson({ done: options.yes, before, left });
  if (options.yes) await reportDone(app, shop, before, left);
  else reportPlan(shop.domain, before);
}

async function waitUntilUndone(app: App, shop: Shop): Promise<void> {
  await waitForVariantSync(app, shop);
  const begun = app.clock.now().getTime();
  while (app.clock.now().getTime() - begun < MAX_WAIT_MS && (await countRunners(app.db)) > 0) {
    if (!(await isUndoInProgress(app, shop)) && (await countChangesToUndo(app, shop)).underWay === 0) return;
    await app.clock.sleep(POLL_MS);
  }
}

function reportPlan(domain: string, toUndo: ChangesToUndo): void {
  const described = describeChangesToUndo(toUndo);
  for (const { text, missingScope } of described)
    writeLine(missingScope === null ? `${text}.` : `Cannot be undone ${describeMissingScope(missingScope)}: ${text}.`);
  if (described.length === 0) writeLine('Nothing is left to undo.');
  reportHowToGrant(described);
  warnOfLivePrintOrders(toUndo);
  writeLine(
    `Nothing was changed. "platen leave --shop ${domain} --yes" undoes these changes and stops Platen for this store until someone opens it in the store's admin and chooses to use it again.`,
  );
}

async function reportDone(app: App, shop: Shop, before: ChangesToUndo, left: ChangesToUndo): Promise<void> {
  for (const text of describeUndoneChanges(before, left)) writeLine(`Undone: ${text}.`);
  const still = describeChangesToUndo(left);
  const next = (await isUndoInProgress(app, shop))
    ? 'Platen is still undoing changes. Run the command again to see the progress'
    : 'Run the command again to continue';
  for (const { text, missingScope } of still)
    if (missingScope === null) writeLine(`Not undone yet: ${text}. ${next}.`);
    else writeLine(`Not undone ${describeMissingScope(missingScope)}: ${text}.`);
  if (left.stocked + left.hidden > 0) await reportVariantsInStore(listAllVariantsInStore(app, shop, false));
  reportHowToGrant(still);
  if (still.every(({ missingScope }) => missingScope !== null))
    writeLine(
      `Nothing${still.length > 0 ? ' else' : ''} is left to undo. You can remove the app in the store's admin.`,
    );
  warnOfLivePrintOrders(left);
}

function describeMissingScope(scope: OptionalScope): string {
  return `because the store has not granted Platen the permission ${scope}`;
}

function reportHowToGrant(described: readonly DescribedChange[]): void {
  if (described.every(({ missingScope }) => missingScope === null)) return;
  writeLine(
    "To undo changes that need a missing permission, open Platen in the store's admin, turn on a setting that requests the permission, and run the command again. Alternatively, undo the changes by hand.",
  );
}

function warnOfLivePrintOrders(toUndo: ChangesToUndo): void {
  const warning = describeLivePrintOrders(toUndo);
  if (warning !== null) writeLine(warning);
}
