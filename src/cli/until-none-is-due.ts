import { setTimeout as delay } from 'node:timers/promises';
import type { App } from '../app.ts';
import { Shops, type Shop } from '../database/entities/shops.ts';
import { countRunners } from '../jobs/runner/count-runners.ts';
import { countInStore } from '../products/kept-variants/list-in-store.ts';
import { sayAside } from '../terminal.ts';

/** The work is begun, and nobody does it now. */
export const NO_WORKER = 'No worker of Platen runs on this database: the work starts when one does.';

const LOOK_MS = 300;
const TELL_MS = 5_000;

/** Waits until the job that sets things of a shop's variants in the store has done all; the app that runs does the work. */
export async function untilNoneIsDue(app: App, shop: Shop): Promise<void> {
  for (let toldAt = Date.now(); ;) {
    const { due } = await countInStore(app, shop);
    if (due === 0) return;
    const { state } = await app.db.manager.findOneByOrFail(Shops, { id: shop.id });
    if (state !== 'installed' && state !== 'leaving') {
      sayAside("The store has to be signed in: open Platen once in the store's admin.");
      return;
    }
    if ((await countRunners(app.db)) === 0) {
      sayAside(NO_WORKER);
      return;
    }
    if (Date.now() - toldAt > TELL_MS) {
      toldAt = Date.now();
      sayAside(`${due} variants to go.`);
    }
    await delay(LOOK_MS);
  }
}
