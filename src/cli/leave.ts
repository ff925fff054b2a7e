import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { App } from '../app.ts';
import type { Shop } from '../database/shops.ts';
import { countRunners } from '../jobs/count-runners.ts';
import { countToUndo, type ToUndo } from '../orders/leave/count-to-undo.ts';
import { refuseIfGone, startLeaving } from '../orders/leave/start-leaving.ts';
import { allInStore } from '../products/in-store/list-in-store.ts';
import { findShopArgument } from './find-shop-argument.ts';
import { withApp } from './open-app.ts';
import { printInStore } from './print-in-store.ts';
import { untilNoneIsDue } from './until-none-is-due.ts';
import { UsageError } from './usage-error.ts';

const LOOK_MS = 300;
/** The end of a draft that the service does not show yet takes a while: who waits longer runs the command again. */
const LONGEST_WAIT_MS = 120_000;
/** The jobs are enqueued by another one. */
const BEGIN_MS = 2_000;

const OPTIONS = {
  yes: { type: 'boolean', default: false },
  'no-wait': { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
} as const;

/** `platen leave SHOP [--yes] [--no-wait] [--json]`: takes back all that Platen has set for a shop, before an uninstall; without `--yes` it is only shown. */
export async function leave(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({ args, options: OPTIONS, allowPositionals: true });
  const [domain, ...rest] = positionals;
  if (domain === undefined || rest.length > 0) throw new UsageError('Which shop? Give its domain.');
  await withApp(async (app) => {
    const shop = await findShopArgument(app, domain);
    refuseIfGone(shop);
    const before = await countToUndo(app, shop);
    if (values.yes) await startLeaving(app, shop);
    if (values.yes && !values['no-wait']) await untilUndone(app, shop);
    const left = values.yes ? await countToUndo(app, shop) : before;
    if (values.json) return console.log(JSON.stringify({ done: values.yes, before, left }));
    if (values.yes) await showDone(app, shop, before, left);
    else showPlan(domain, before);
  });
}

async function untilUndone(app: App, shop: Shop): Promise<void> {
  await untilNoneIsDue(app, shop);
  const begun = Date.now();
  while (Date.now() - begun < LONGEST_WAIT_MS && (await countRunners(app.db)) > 0) {
    const { metafields, unsent, underWay } = await countToUndo(app, shop);
    const isBegun = Date.now() - begun > BEGIN_MS;
    if (metafields === 0 && (unsent === 0 || (underWay === 0 && isBegun))) return;
    await delay(LOOK_MS);
  }
}

function showPlan(domain: string, toUndo: ToUndo): void {
  const lines = describe(toUndo);
  for (const line of lines) console.log(`${line}.`);
  if (lines.length === 0) console.log('Nothing is left to take back.');
  warnOfLive(toUndo);
  console.log(
    `Nothing was changed. "platen leave ${domain} --yes" takes it back and stops Platen for this store, until it is opened in the store's admin again.`,
  );
}

async function showDone(app: App, shop: Shop, before: ToUndo, left: ToUndo): Promise<void> {
  const done = describe({
    ...before,
    stocked: before.stocked - left.stocked,
    hidden: before.hidden - left.hidden,
    metafields: before.metafields - left.metafields,
    unsent: before.unsent - left.unsent,
  });
  for (const line of done) console.log(`Taken back: ${line}.`);
  const still = describe(left);
  for (const line of still) console.log(`Still there: ${line}. Run the command again to go on.`);
  if (left.stocked + left.hidden > 0) await printInStore(allInStore(app, shop, false));
  if (still.length === 0) console.log('Nothing is left to take back: Platen can be removed.');
  warnOfLive(left);
}

function describe({ stocked, hidden, metafields, unsent }: ToUndo): string[] {
  return [
    ...(stocked > 0 ? [`${countOf(stocked, 'variant')} stocked at Platen's location by Platen`] : []),
    ...(hidden > 0 ? [`${countOf(hidden, 'variant')} made unsellable by Platen`] : []),
    ...(metafields > 0
      ? [`${countOf(metafields, 'metafield')} of products and variants that say how they are connected`]
      : []),
    ...(unsent > 0
      ? [`${countOf(unsent, 'print order')} not sent to print, with the drafts at the print service`]
      : []),
  ];
}

function warnOfLive({ live }: ToUndo): void {
  if (live === 0) return;
  console.log(
    `${countOf(live, 'print order')} at the print service ${live === 1 ? 'is' : 'are'} under way and not touched: once Platen is stopped, the store is not told of the parcels.`,
  );
}

function countOf(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
