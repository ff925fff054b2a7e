import { setTimeout as delay } from 'node:timers/promises';
import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { countRunners } from '../../jobs/runner/count-runners.ts';
import { countToUndo, isUnderWay, type ToUndo } from '../../orders/leave/count-to-undo.ts';
import { refuseIfGone, startLeaving } from '../../orders/leave/start-leaving.ts';
import { allInStore } from '../../products/kept-variants/list-in-store.ts';
import type { OptionalScope } from '../../shopify/auth/access-scopes.ts';
import { describeToUndo, listTakenBack, sayLive, type Described } from './describe-to-undo.ts';
import { untilNoneIsDue } from '../until-none-is-due.ts';
import { say, sayJson } from '../../terminal.ts';
import { sayInStore } from '../products/location.ts';

const POLL_MS = 300;
/**
 * Platen may have to wait until the service shows a draft before Platen can delete it. After this time, the command stops waiting, and
 * the user can run it again.
 */
const LONGEST_WAIT_MS = 120_000;

interface Options {
  yes: boolean;
  'no-wait': boolean;
  json: boolean;
}

/** `platen leave`: undoes all changes that Platen has made in a shop, before an uninstall. Without `--yes`, only lists the changes. */
export async function leave(options: Options, app: App, shop: Shop): Promise<void> {
  refuseIfGone(shop);
  const before = await countToUndo(app, shop);
  if (options.yes) await startLeaving(app, shop);
  if (options.yes && !options['no-wait']) await untilUndone(app, shop);
  const left = options.yes ? await countToUndo(app, shop) : before;
  if (options.json) return sayJson({ done: options.yes, before, left });
  if (options.yes) await showDone(app, shop, before, left);
  else showPlan(shop.domain, before);
}

async function untilUndone(app: App, shop: Shop): Promise<void> {
  await untilNoneIsDue(app, shop);
  const begun = Date.now();
  while (Date.now() - begun < LONGEST_WAIT_MS && (await countRunners(app.db)) > 0) {
    if (!(await isUnderWay(app, shop)) && (await countToUndo(app, shop)).underWay === 0) return;
    await delay(POLL_MS);
  }
}

function showPlan(domain: string, toUndo: ToUndo): void {
  const described = describeToUndo(toUndo);
  for (const { text, missingScope } of described)
    say(missingScope === null ? `${text}.` : `Cannot be undone ${sayMissing(missingScope)}: ${text}.`);
  if (described.length === 0) say('Nothing is left to undo.');
  sayHowToGive(described);
  warnOfLive(toUndo);
  say(
    `Nothing was changed. "platen leave --shop ${domain} --yes" undoes these changes and stops Platen for this store until someone opens it in the store's admin and chooses to use it again.`,
  );
}

async function showDone(app: App, shop: Shop, before: ToUndo, left: ToUndo): Promise<void> {
  for (const text of listTakenBack(before, left)) say(`Undone: ${text}.`);
  const still = describeToUndo(left);
  const next = (await isUnderWay(app, shop))
    ? 'Platen is still undoing changes. Run the command again to see the progress'
    : 'Run the command again to continue';
  for (const { text, missingScope } of still)
    if (missingScope === null) say(`Not undone yet: ${text}. ${next}.`);
    else say(`Not undone ${sayMissing(missingScope)}: ${text}.`);
  if (left.stocked + left.hidden > 0) await sayInStore(allInStore(app, shop, false));
  sayHowToGive(still);
  if (still.every(({ missingScope }) => missingScope !== null))
    say(`Nothing${still.length > 0 ? ' else' : ''} is left to undo. Platen can be uninstalled.`);
  warnOfLive(left);
}

function sayMissing(scope: OptionalScope): string {
  return `because the store has not granted Platen the permission ${scope}`;
}

function sayHowToGive(described: readonly Described[]): void {
  if (described.every(({ missingScope }) => missingScope === null)) return;
  say(
    "To undo changes that need a missing permission, open Platen in the store's admin, turn on a setting that requests the permission, and run the command again. Alternatively, undo the changes by hand.",
  );
}

function warnOfLive(toUndo: ToUndo): void {
  const warning = sayLive(toUndo);
  if (warning !== null) say(warning);
}
