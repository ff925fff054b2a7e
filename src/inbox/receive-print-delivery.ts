import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import type { App } from '../app.ts';
import { parseEvent } from '../print/events.ts';
import type { PrintEvent } from '../print/events.ts';
import { parseTimestamp } from '../print/parse-timestamp.ts';
import { readPrintWebhookAddress } from '../shops/print-account/print-webhook-address.ts';
import type { PrintWebhookAddress } from '../shops/print-account/print-webhook-address.ts';
import { readPrintWebhookHeader } from '../shops/settings/settings.ts';
import { toReading } from '../orders/follow/receive/to-reading.ts';
import { parseJsonObject } from './parse-json-object.ts';
import { receiveDelivery } from './receive-delivery.ts';

/**
 * The maximum number of values in an event. An event of 256 KiB has this many values only if each value, including its name, takes 13
 * bytes. Real values are longer.
 */
const MAX_VALUES = 20_000;

/** An event as it arrived at an address, without its secrets. The event may wait on disk while the database is unavailable. */
export interface PrintArrival {
  /** The hexadecimal SHA-256 hash of the address's token. */
  tokenHash: string;
  /** A keyed hash of each header, which later identifies a shop's secret header (`toHeaderProofs`). */
  headerProofs: string[];
  receivedAt: Date;
  rawBody: Buffer;
}

/** The parts of an event that are known before its body is read. */
export type PrintArrivalHead = Omit<PrintArrival, 'rawBody'>;

/** The result. `topic` is the event's kind. */
export interface PrintReceipt {
  result: 'stored' | 'duplicate' | 'unknown_address' | 'spooled';
  topic: string;
}

/**
 * Stores an event from the print service for the shop that owns the address. `unknown_address`: no shop has the address, the address has
 * expired, or the shop's secret header was missing. Throws InvalidInputError if the body is not a JSON object, and database errors.
 */
export async function receivePrintDelivery(app: App, arrival: PrintArrival): Promise<PrintReceipt> {
  const address = await readPrintWebhookAddress(app, arrival.tokenHash);
  if (!address || !acceptsArrival(app, address, arrival)) return { result: 'unknown_address', topic: 'any' };
  return storePrintEvent(app, address.id, arrival, parsePrintBody(arrival.rawBody));
}

/**
 * Stores an event whose address has already been checked and whose body has already been parsed. Otherwise works like
 * `receivePrintDelivery`.
 */
export async function storePrintEvent(
  app: App,
  shopId: number,
  { rawBody, receivedAt }: PrintArrival,
  body: Record<string, unknown>,
): Promise<PrintReceipt> {
  const event = parseEvent(body);
  const bodySha256 = hash('sha256', rawBody);
  const orderId = 'orderId' in event ? event.orderId : null;
  const isUnknown = event.kind === 'unknown';
  const result = await receiveDelivery(app, {
    source: 'print',
    shopId,
    dedupeKey: toDedupeKey(event, orderId, bodySha256, receivedAt),
    topic: event.kind,
    eventId: event.id,
    resourceIds: {},
    // Platen never reads the body of an event whose kind is unknown.
    body: isUnknown ? null : withoutPreview(body),
    bodySha256,
    occurredAt: 'created' in event && event.created !== null ? parseTimestamp(event.created) : null,
    receivedAt,
    result: isUnknown ? 'unknown_kind' : null,
    reading: toReading(event),
  });
  return { result: result === 'unknown_shop' ? 'unknown_address' : result, topic: event.kind };
}

/** Parses an event's body. Throws InvalidInputError if the body is not a JSON object, or has more values than any event needs. */
export function parsePrintBody(rawBody: Buffer): Record<string, unknown> {
  return parseJsonObject(rawBody, MAX_VALUES);
}

/** Removes a preview's signed address, which expires. Platen reads the address again when needed and never stores it. */
function withoutPreview(body: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).filter(([name]) => name !== 'previewUrl'));
}

/**
 * Returns whether an address accepts this event: the address had not expired when the event arrived, and the event had the shop's secret
 * header.
 */
export function acceptsArrival(
  app: App,
  address: PrintWebhookAddress,
  { headerProofs, receivedAt }: PrintArrivalHead,
): boolean {
  if (address.expiresAt !== null && address.expiresAt <= receivedAt) return false;
  const header = readPrintWebhookHeader(app, address);
  if (!header) return true;
  const expected = app.config.encryptionKeys.map(({ key }) => toProof(key, header.name, header.value));
  return headerProofs.some((proof) => expected.some((one) => isSame(one, proof)));
}

/**
 * Returns a keyed hash of every header (names and values alternate, as in Node). A hash identifies a known value but reveals no other
 * value.
 */
export function toHeaderProofs(app: App, rawHeaders: string[]): string[] {
  const [current] = app.config.encryptionKeys;
  if (!current) return [];
  return rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [toProof(current.key, name, rawHeaders[at + 1] ?? '')] : []));
}

function toProof(key: Buffer, name: string, value: string): string {
  return createHmac('sha256', key).update(`header\0${name.toLowerCase()}\0${value}`).digest('base64url');
}

function isSame(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}

/**
 * Returns the deduplication key of an event. The key includes kind, event ID, order ID and body, because IDs repeat between kinds
 * (docs/rules/print-interface.md#event-ids). The older stock event has no ID and is identical each time a product is back in stock, so an
 * event in a later minute counts as new. The key is hashed, because these values have no length limit.
 */
function toDedupeKey(event: PrintEvent, orderId: string | null, bodySha256: string, receivedAt: Date): string {
  const isNameless = event.kind === 'catalog_product_stock_availability_updated' && event.id === null;
  const minute = isNameless ? [Math.floor(receivedAt.getTime() / 60_000)] : [];
  const parts = JSON.stringify([event.kind, event.id, orderId, bodySha256, ...minute]);
  return hash('sha256', parts);
}
