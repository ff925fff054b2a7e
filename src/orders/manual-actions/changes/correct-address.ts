import type { App } from '../../../app.ts';
import { StorefrontOrders, type StorefrontOrder } from '../../../database/entities/orders.ts';
import type { Shop } from '../../../database/entities/shops.ts';
import { InvalidInputError, NotPossibleError } from '../../../errors.ts';
import { parseInput } from '../../../products/print-service/parse-input.ts';
import type { AdminApi } from '../../../shopify/admin/admin-api.ts';
import { ShopifyError } from '../../../shopify/admin/errors.ts';
import { correctOrder, type OrderCorrection } from '../../../shopify/calls/order-address.ts';
import { readSettings } from '../../../shops/settings/settings.ts';
import { requireAddressScope } from '../../../shops/tokens/scopes.ts';
import { openAdmin } from '../../../shops/tokens/tokens.ts';
import { enqueuePlan } from '../../enqueue/enqueue-plan.ts';
import type { StoreReading } from '../../facts/store-reading.ts';
import { toRecipient } from '../../plan/decide/to-recipient.ts';
import { readStore } from '../../plan/read/read-store.ts';
import { writeTimeline } from '../../record/write-timeline.ts';
import type { Actor } from '../manual-action-scope.ts';
import {
  addressSchema,
  toAddressForm,
  toCorrection,
  toFormField,
  withAddress,
  type AddressForm,
} from './address-form.ts';
import { readChangeable } from './read-changeable.ts';
import { listSentReferences, findAddressLockReason } from './changeable-order.ts';

/** An order's address in the store. This is personal data, so only the shop's staff may see it. */
export interface ShownAddress {
  address: AddressForm;
  /** The field that the print service does not accept, with the reason. Null if it accepts the address. */
  fault: { field: string; message: string } | null;
  /** References of print orders that were already sent to print. They keep the address with which they were sent. */
  sent: string[];
}

/**
 * Reads an order's address from the store for the merchant to correct. Throws NotPossibleError if the address no longer matters or cannot
 * be read completely, and ShopifyError.
 */
export async function showAddress(app: App, shop: Shop, { id }: StorefrontOrder): Promise<ShownAddress> {
  const { reading, sent } = await readForCorrection(app, shop, id);
  return { address: toAddressForm(reading), fault: findFault(reading, shop), sent };
}

/**
 * Corrects an order's address in the store, and plans the order again at once. First checks the address as the plan would check it. The
 * timeline and the logs contain no part of the address. Returns sentences that describe what was done. Throws InvalidInputError with the
 * field that the print service or the store does not accept, ScopeNeededError, NotPossibleError and ShopifyError.
 */
export async function correctAddress(
  app: App,
  shop: Shop,
  { id: storefrontOrderId }: StorefrontOrder,
  { given, by }: { given: Record<string, unknown>; by: Actor },
): Promise<{ done: string[] }> {
  const form = await parseInput(addressSchema, given);
  const { admin, order, reading } = await readForCorrection(app, shop, storefrontOrderId);
  const fault = findFault(withAddress(reading, form), shop);
  if (fault) throw new InvalidInputError(fault.field, `${fault.field}: ${fault.message}`);
  await requireAddressScope(app, shop);
  await writeCorrection(admin, order.shopifyOrderId, toCorrection(reading, form));
  await app.db.transaction(async (manager) => {
    const message = 'The merchant changed the shipping address in Platen.';
    await manager.update(StorefrontOrders, { id: storefrontOrderId }, { addressCorrectedAt: app.clock.now() });
    await writeTimeline(manager, { shopId: shop.id, storefrontOrderId, kind: 'address_corrected', message, by });
    await enqueuePlan(manager, storefrontOrderId);
  });
  return { done: [`The address of ${order.name} was changed in your store. Platen is checking the order again.`] };
}

async function readForCorrection(app: App, shop: Shop, id: string) {
  const { order, ...changeable } = await readChangeable(app.db.manager, id);
  const fixed = findAddressLockReason({ order, ...changeable });
  if (fixed) throw fixed;
  const admin = await openAdmin(app, shop);
  const reading = await readStore(app, shop, admin, order.shopifyOrderId);
  if (!reading) throw new NotPossibleError('order_gone', `The store no longer has the order ${order.name}.`);
  // The store replaces the address as a whole, so a hidden part would be lost.
  if (reading.protectedFieldsMissing.some((field) => field === 'email' || field.startsWith('shippingAddress')))
    throw new NotPossibleError(
      'protected_data',
      'The store hides parts of this address from Platen. Change the address in your store.',
    );
  return { admin, order, reading, sent: listSentReferences(changeable.prints) };
}

/** Finds the first field that the plan would not accept. */
function findFault(reading: StoreReading, shop: Shop): ShownAddress['fault'] {
  const recipient = toRecipient(reading, shop, readSettings(shop));
  if (recipient === null || recipient.ok) return null;
  const { field, message } = recipient.hold;
  return { field: field === 'registrationStateCode' ? 'state' : field, message };
}

async function writeCorrection(admin: AdminApi, shopifyOrderId: string, correction: OrderCorrection): Promise<void> {
  try {
    await correctOrder(admin, shopifyOrderId, correction);
  } catch (error) {
    const [refused] = error instanceof ShopifyError && error.kind === 'user_error' ? error.userErrors : [];
    if (!refused) throw error;
    // The store's message may repeat the address, so it is returned to the merchant but never logged.
    const field = toFormField(refused.field);
    throw new InvalidInputError(field, `${field}: ${refused.message}`);
  }
}
