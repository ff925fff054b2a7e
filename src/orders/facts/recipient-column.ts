import type { App } from '../../app.ts';
import { decryptColumn, encryptColumn } from '../../database/encrypt-column.ts';
import { encryptedColumns } from '../../database/encrypted-columns.ts';
import { PlatenError } from '../../errors.ts';
import type { PrintOrder } from '../../database/entities/print-orders.ts';
import type { PrintOrderBody } from '../../print/port.ts';
import type { AddressChange, ServiceAddress } from '../address/fit-address.ts';
import type { ShippingMethodRule, ShippingPreference } from './shipping-method-rule.ts';

/** A print order's recipient and shipping: personal data, encrypted at rest. */
export interface Recipient {
  address: ServiceAddress;
  changes: AddressChange[];
  customerReferenceId: string;
  /** The buyer's shipping choice. */
  shippingLines: ShippingPreference['shippingLines'];
  /** The printed products' tags in the store, by LineItem. */
  productTags: Record<string, string[]>;
  /** The URLs of print files that came with lines, by LineItem. Omitted if no line has a file. */
  fileUrls?: Record<string, string>;
  /** The rule for choosing the shipping method of every part of one plan. Null if no quote has determined the rule yet. */
  shippingWay: ShippingMethodRule | null;
}

type SealedColumns = Pick<PrintOrder, 'reference' | 'recipientEncrypted' | 'bodyEncrypted'>;

export function sealRecipient(app: App, reference: string, recipient: Recipient): string {
  return encryptColumn(
    app.config.encryptionKeys,
    encryptedColumns.recipient.toPlace(reference),
    JSON.stringify(recipient),
  );
}

/**
 * Decrypts the recipient. Throws PlatenError `personal_data_removed` if the data was redacted or the shop's retention period has passed.
 */
export function decryptRecipient(app: App, { reference, recipientEncrypted }: SealedColumns): Recipient {
  if (recipientEncrypted === null) throw removedError(reference);
  return JSON.parse(
    decryptColumn(app.config.encryptionKeys, encryptedColumns.recipient.toPlace(reference), recipientEncrypted),
  ) as Recipient;
}

export function sealBody(app: App, reference: string, body: PrintOrderBody): string {
  return encryptColumn(app.config.encryptionKeys, encryptedColumns.body.toPlace(reference), JSON.stringify(body));
}

/** Decrypts the body. Throws PlatenError `personal_data_removed` if the data was redacted or the shop's retention period has passed. */
export function decryptBody(app: App, { reference, bodyEncrypted }: SealedColumns): PrintOrderBody {
  if (bodyEncrypted === null) throw removedError(reference);
  return JSON.parse(
    decryptColumn(app.config.encryptionKeys, encryptedColumns.body.toPlace(reference), bodyEncrypted),
  ) as PrintOrderBody;
}

function removedError(reference: string): PlatenError {
  return new PlatenError('personal_data_removed', `The personal data of ${reference} was removed.`);
}
