import type { App } from '../../../app.ts';
import type { StorefrontOrder } from '../../../database/entities/orders.ts';
import type { Shop } from '../../../database/entities/shops.ts';
import { NotPossibleError } from '../../../errors.ts';
import { openAdmin } from '../../../shops/tokens/tokens.ts';
import type { AddressChange } from '../../address/address-change.ts';
import { withEverythingReleased, withoutFaults } from '../../plan/decide/released-input.ts';
import { planOrder } from '../../plan/decide/plan-order.ts';
import type { PlanInput } from '../../plan/decide/plan.ts';
import { toPlanInput } from '../../plan/decide/to-plan-input.ts';
import { readStore } from '../../plan/read/read-store.ts';
import { refuseIfOrderIsOver } from '../manual-action-scope.ts';
import { toAddressForm } from './address-form.ts';
import { readChangeable } from './read-changeable.ts';

/**
 * The address and the print files that Platen would now send for the unsent part of an order. This is personal data, so only the shop's
 * staff may see it.
 */
export interface ShownUnsent {
  /** The address as Platen would send it, keyed by the print interface's field names. If it cannot be sent, the address from the store. */
  address: Record<string, string>;
  changes: AddressChange[];
  /** Why the address cannot be sent, or null. */
  fault: string | null;
  /** `url`: null if the print product needs no file. `isFromOrder`: a property of the line names the file, so it may come from a buyer. */
  files: { sku: string | null; quantity: number; url: string | null; isFromOrder: boolean }[];
}

/**
 * Reads an order from the store and shows the data that Platen would send to print now if nothing held the order. Throws NotPossibleError
 * if none of the order's items can be printed anymore, and ShopifyError.
 */
export async function showUnsent(app: App, shop: Shop, { id }: StorefrontOrder): Promise<ShownUnsent> {
  const { order, rows } = await readChangeable(app.db.manager, id);
  refuseIfOrderIsOver(order);
  const reading = await readStore(app, shop, await openAdmin(app, shop), order.shopifyOrderId);
  if (!reading) throw new NotPossibleError('order_gone', `The store no longer has the order ${order.name}.`);
  const input = await toPlanInput(app, app.db.manager, { shop, columns: order, reading, rows });
  const { wanted } = planOrder(withoutFaults(withEverythingReleased(input)));
  return {
    ...toShownAddress(input),
    files: wanted.flatMap(({ items }) =>
      items.map(({ sku, quantity, fileUrl, isOwnFile }) => ({ sku, quantity, url: fileUrl, isFromOrder: isOwnFile })),
    ),
  };
}

function toShownAddress({ recipient, order }: PlanInput): Omit<ShownUnsent, 'files'> {
  if (recipient?.ok) return { address: toFields(recipient.address), changes: recipient.changes, fault: null };
  return { address: toFields(toAddressForm(order)), changes: [], fault: recipient?.hold.message ?? null };
}

function toFields(address: object): Record<string, string> {
  const isField = (field: [string, unknown]): field is [string, string] =>
    typeof field[1] === 'string' && field[1] !== '';
  return Object.fromEntries(Object.entries(address).filter(isField));
}
