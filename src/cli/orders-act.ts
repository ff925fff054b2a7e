import { parseArgs } from 'node:util';
import { PlatenError } from '../errors.ts';
import { actByHand } from '../orders/by-hand/act-by-hand.ts';
import { approveAll } from '../orders/by-hand/approve-all.ts';
import type { Action } from '../orders/by-hand/hold-actions.ts';
import { findShopArgument } from './find-shop-argument.ts';
import { withApp } from './open-app.ts';
import { UsageError } from './usage-error.ts';

const OPTIONS = { shop: { type: 'string' }, 'print-order': { type: 'string' }, all: { type: 'boolean' } } as const;

/**
 * `platen orders ACTION ORDER… --shop SHOP [--print-order REFERENCE]`, and `platen orders approve --all --shop SHOP` for all that wait
 * for approval. Each order is acted on for itself: one that cannot be does not keep the others from it, and the exit code is 1.
 */
export async function ordersAct(action: Action, args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({ args, options: OPTIONS, allowPositionals: true });
  const { shop: domain, 'print-order': printOrder = null, all = false } = values;
  if (domain === undefined) throw new UsageError('Which shop? Give --shop and its domain.');
  if (all && (action !== 'approve' || positionals.length > 0 || printOrder !== null))
    throw new UsageError('--all stands alone, with approve.');
  if (!all && positionals.length === 0) throw new UsageError('Which orders? Give a name such as #1001, or an id.');
  if (printOrder !== null && positionals.length > 1)
    throw new UsageError('A print order is of one order: give that alone.');
  await withApp(async (app) => {
    const shop = await findShopArgument(app, domain);
    if (all) {
      let approved = 0;
      for await (const { done } of approveAll(app, shop, 'cli')) {
        console.log(done.join(' '));
        approved += 1;
      }
      if (approved === 0) console.log('No order waits for approval.');
      return;
    }
    const failed: string[] = [];
    for (const order of new Set(positionals)) {
      try {
        const { done } = await actByHand(app, shop, { order, action, printOrder, by: 'cli' });
        console.log(done.join(' '));
      } catch (error) {
        if (!(error instanceof PlatenError)) throw error;
        failed.push(error.message);
      }
    }
    if (failed.length > 0) throw new PlatenError('not_done', failed.join(' '));
  });
}
