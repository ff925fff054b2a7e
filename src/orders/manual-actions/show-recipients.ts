import { In, IsNull, Not } from 'typeorm';
import type { App } from '../../app.ts';
import type { StorefrontOrder } from '../../database/entities/orders.ts';
import { Deviations, PrintOrderLines, PrintOrders, type PrintOrder } from '../../database/entities/print-orders.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { findPrintLinks } from '../../database/find-print-links.ts';
import { PlatenError } from '../../errors.ts';
import { readSettings } from '../../shops/settings/settings.ts';
import { openAdmin } from '../../shops/tokens/tokens.ts';
import type { AddressChange } from '../address/address-change.ts';
import { decryptRecipient } from '../facts/recipient-column.ts';
import { toRecipient } from '../plan/decide/to-recipient.ts';
import { readStore } from '../plan/read/read-store.ts';

/** A print file. `isFromOrder`: the file's URL is in a property of the line, so it may come from a buyer. */
interface ShownFile {
  sku: string | null;
  url: string | null;
  isFromOrder: boolean;
  /** The file of the print link now, if it differs from the file of a print order that is not confirmed yet. Otherwise null. */
  linkUrl: string | null;
}

/** The address and the print files that Platen sends with a print order. This is personal data, so only the shop's staff may see it. */
export interface ShownRecipient {
  reference: string;
  /** Null once the personal data has been removed. */
  sent: {
    /** The address, keyed by the print interface's field names. */
    address: Record<string, string>;
    changes: AddressChange[];
    files: ShownFile[];
  } | null;
}

export interface ShownRecipients {
  recipients: ShownRecipient[];
  /**
   * The address in the store now, keyed by the print interface's field names, if it differs from the address of a print order that was sent.
   * Null if it does not differ or the store cannot be read.
   */
  storeAddress: Record<string, string> | null;
}

/** Shows the recipients of an order's print orders, in the order of their parts. Throws PlatenError `cannot_decrypt`. */
export async function showRecipients(app: App, shop: Shop, order: StorefrontOrder): Promise<ShownRecipients> {
  const { manager } = app.db;
  const byOrder = { where: { storefrontOrderId: order.id }, order: { part: 'ASC' } } as const;
  const printOrders = await manager.find(PrintOrders, byOrder);
  const printOrderId = In(printOrders.map((one) => one.id));
  const lines = await manager.find(PrintOrderLines, { where: { printOrderId }, order: { id: 'ASC' } });
  const variants = lines.map(({ shopifyVariantId, shopifyLineItemId, sku }) => ({
    id: shopifyVariantId ?? shopifyLineItemId,
    sku,
  }));
  const links = await findPrintLinks(manager, shop, variants);
  const counting = printOrders.filter(({ fencedAt }) => fencedAt === null);
  const ids = counting.map(({ id }) => id);
  const isChanged = await manager.existsBy(Deviations, { printOrderId: In(ids), presentChange: Not(IsNull()) });
  const recipients = printOrders.map((printOrder) => ({ reference: printOrder.reference, sent: toSent(printOrder) }));
  const now = isChanged && order.redactedAt === null ? await readStoreAddress(app, shop, order) : null;
  const sent = counting.map(toSent);
  const isSame = sent.every((one) => one === null || areSame(one.address, now ?? {}));
  return { recipients, storeAddress: isSame ? null : now };

  function toSent(printOrder: PrintOrder): ShownRecipient['sent'] {
    if (printOrder.recipientEncrypted === null) return null;
    const { address, changes, fileUrls } = decryptRecipient(app, printOrder);
    const isUnconfirmed = printOrder.confirmedAt === null && printOrder.fencedAt === null;
    const files = lines
      .filter((line) => line.printOrderId === printOrder.id)
      .map(({ sku, fileUrl, shopifyLineItemId, shopifyVariantId }) => {
        const ownUrl = fileUrls?.[shopifyLineItemId] ?? null;
        const link = isUnconfirmed && ownUrl === null ? links.get(shopifyVariantId ?? shopifyLineItemId) : undefined;
        const linkUrl = link && link.fileUrl !== fileUrl ? link.fileUrl : null;
        return { sku, url: ownUrl ?? fileUrl, isFromOrder: ownUrl !== null, linkUrl };
      });
    return { address: toFields(address), changes, files };
  }
}

/** Reads the order's address from the store, in the form that the print service accepts if possible. */
async function readStoreAddress(app: App, shop: Shop, order: StorefrontOrder): Promise<Record<string, string> | null> {
  try {
    const reading = await readStore(app, shop, await openAdmin(app, shop), order.shopifyOrderId);
    if (!reading) return null;
    const recipient = toRecipient(reading, shop, readSettings(shop));
    if (recipient?.ok) return toFields(recipient.address);
    const { firstName, lastName, company, address1, address2, city, province, zip, countryCodeV2 } =
      reading.shippingAddress ?? {};
    const names = { firstName, lastName, companyName: company, addressLine1: address1, addressLine2: address2 };
    return toFields({ ...names, city, state: province, postCode: zip, country: countryCodeV2 });
  } catch (error) {
    if (!(error instanceof PlatenError)) throw error;
    app.log.warn(
      { storefrontOrderId: order.id, error: error.code },
      "the store's address of an order could not be read",
    );
    return null;
  }
}

function areSame(a: Record<string, string>, b: Record<string, string>): boolean {
  return [...Object.keys(a), ...Object.keys(b)].every((field) => a[field] === b[field]);
}

function toFields(address: object): Record<string, string> {
  const fields = Object.entries(address).filter(
    (field): field is [string, string] => typeof field[1] === 'string' && field[1] !== '',
  );
  return Object.fromEntries(fields);
}
