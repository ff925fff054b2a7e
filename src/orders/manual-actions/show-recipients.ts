import { In } from 'typeorm';
import type { App } from '../../app.ts';
import type { StorefrontOrder } from '../../database/entities/orders.ts';
import { PrintOrderLines, PrintOrders, type PrintOrder } from '../../database/entities/print-orders.ts';
import type { AddressChange } from '../address/address-change.ts';
import { decryptRecipient } from '../facts/recipient-column.ts';

/** A print file. `isFromOrder`: the file's URL is in a property of the line, so it may come from a buyer. */
interface ShownFile {
  sku: string | null;
  url: string | null;
  isFromOrder: boolean;
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

/** Shows the recipients of an order's print orders, in the order of their parts. Throws PlatenError `cannot_decrypt`. */
export async function showRecipients(app: App, { id }: Pick<StorefrontOrder, 'id'>): Promise<ShownRecipient[]> {
  const { manager } = app.db;
  const printOrders = await manager.find(PrintOrders, { where: { storefrontOrderId: id }, order: { part: 'ASC' } });
  const lines = await manager.find(PrintOrderLines, {
    where: { printOrderId: In(printOrders.map((one) => one.id)) },
    order: { id: 'ASC' },
  });
  return printOrders.map((printOrder) => ({ reference: printOrder.reference, sent: toSent(printOrder) }));

  function toSent(printOrder: PrintOrder): ShownRecipient['sent'] {
    if (printOrder.recipientEncrypted === null) return null;
    const { address, changes, fileUrls } = decryptRecipient(app, printOrder);
    const files = lines
      .filter(({ printOrderId }) => printOrderId === printOrder.id)
      .map(({ sku, fileUrl, shopifyLineItemId }) => {
        const ownUrl = fileUrls?.[shopifyLineItemId] ?? null;
        return { sku, url: ownUrl ?? fileUrl, isFromOrder: ownUrl !== null };
      });
    const fields = Object.entries(address).filter((field): field is [string, string] => typeof field[1] === 'string');
    return { address: Object.fromEntries(fields), changes, files };
  }
}
