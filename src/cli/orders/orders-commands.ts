import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { PlatenError } from '../../errors.ts';
import { performManualAction } from '../../orders/manual-actions/perform-manual-action.ts';
import { actOnHeldOrders, countHeldOrders } from '../../orders/manual-actions/act-on-held-orders.ts';
import { listActionsFor, type Action } from '../../orders/manual-actions/hold-actions.ts';
import { holdCodes, type HoldCode } from '../../orders/facts/hold-codes.ts';
import { listOrders, type ListedOrder } from '../../orders/lists/list-orders.ts';
import { writeLine, writeJsonList, writeTable } from '../../terminal.ts';
import type { GivenArguments } from '../command.ts';
import { confirm } from '../confirm.ts';
import { describeWait } from './describe-wait.ts';
import { UsageError } from '../usage-error.ts';

/** `platen orders list`: lists a shop's orders, or only those with an open hold. */
export async function ordersList(options: { held: boolean; json: boolean }, app: App, shop: Shop): Promise<void> {
  const orders = listOrders(app, shop, { isHeld: options.held });
  if (options.json) return writeJsonList(orders);
  const rows: string[][] = [];
  for await (const order of orders) rows.push([order.name || order.orderId, order.state, describeOrder(order)]);
  writeTable(['ORDER', 'STATE', 'PRINT ORDERS, HOLDS AND NEXT STEPS'], rows);
}

function describeOrder({ printOrders, holds, waits }: ListedOrder): string {
  return [
    ...printOrders.map(({ reference, state }) => `${reference} ${state}`),
    ...holds.map(
      ({ code, field, message, remedy }) => `${field === null ? code : `${code} (${field})`}: ${message} ${remedy}`,
    ),
    ...waits.map(describeWait),
  ].join('; ');
}

interface ActOptions {
  'print-order': string | undefined;
  all?: boolean;
  hold?: string | undefined;
  yes?: boolean;
}

/** `platen orders ACTION`: processes each order separately. A failed order does not stop the others, but the exit code is then 1. */
export async function ordersAct(
  action: Action,
  { args, options }: Pick<GivenArguments, 'args'> & { options: ActOptions },
  app: App,
  shop: Shop,
): Promise<void> {
  const { 'print-order': printOrder = null, all = false, hold, yes = false } = options;
  if (all) {
    if (args.length > 0 || printOrder !== null)
      throw new UsageError('--all cannot be combined with ORDER or --print-order.');
    return actOnAll({ action, code: toHoldCode(action, hold), isConfirmed: yes || action === 'approve' }, app, shop);
  }
  if (hold !== undefined) throw new UsageError('--hold requires --all.');
  if (args.length === 0)
    throw new UsageError('ORDER is missing: enter the name of an order, such as #1001, or its ID.');
  if (printOrder !== null && args.length > 1)
    throw new UsageError('--print-order applies to one order: enter exactly one ORDER.');
  const failed: string[] = [];
  for (const order of new Set(args)) {
    try {
      const { done, stillHeld } = await performManualAction(app, shop, { order, action, printOrder, by: 'cli' });
      writeLine([...done, ...stillHeld.map((message) => `Still on hold: ${message}`)].join(' '));
    } catch (error) {
      if (!(error instanceof PlatenError)) throw error;
      failed.push(error.message);
    }
  }
  throwIfFailed(failed);
}

/** `approve --all` applies to the orders that are waiting for approval. `retry --all` requires a hold code. */
function toHoldCode(action: Action, given: string | undefined): HoldCode {
  if (action === 'approve') return 'needs_approval';
  const codes = holdCodes.filter((one) => listActionsFor(one).includes(action));
  const code = codes.find((one) => one === given);
  if (code !== undefined) return code;
  const fault = given === undefined ? '--hold is missing' : `--hold ${given} is invalid`;
  throw new UsageError(`${fault}: enter one of ${codes.join(', ')}.`);
}

async function actOnAll(
  { action, code, isConfirmed }: { action: Action; code: HoldCode; isConfirmed: boolean },
  app: App,
  shop: Shop,
): Promise<void> {
  const count = await countHeldOrders(app, shop, { code });
  if (count === 0)
    return writeLine(action === 'approve' ? 'No orders are waiting for approval.' : `No orders are held for ${code}.`);
  const what = `${action} ${count} ${count === 1 ? 'order' : 'orders'} from ${shop.domain} held for ${code}`;
  await confirm(`This will ${what}.`, isConfirmed);
  const failed: string[] = [];
  for await (const outcome of actOnHeldOrders(app, shop, { action, code, by: 'cli' })) {
    if ('failed' in outcome) failed.push(outcome.failed);
    else writeLine(outcome.done.join(' '));
  }
  // An order that has since been canceled in the store cannot be approved. `approve --all` does not count this as a failure.
  if (action !== 'approve') throwIfFailed(failed);
}

function throwIfFailed(failed: readonly string[]): void {
  if (failed.length > 0) throw new PlatenError('not_done', failed.join(' '));
}
