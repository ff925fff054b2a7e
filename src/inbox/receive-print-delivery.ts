import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { App } from '../app.ts';
import { parseEvent } from '../print/events.ts';
import type { PrintEvent } from '../print/events.ts';
import { parseTimestamp } from '../print/parse-timestamp.ts';
import { findShopByPrintWebhookTokenHash } from '../shops/print-webhook-address.ts';
import { readPrintWebhookHeader } from '../shops/settings.ts';
import { parseJsonObject } from './parse-json-object.ts';
import { receiveDelivery } from './receive-delivery.ts';

/** An event as it came to an address, without its secrets: it may wait on disk while the database is away. */
export interface PrintArrival {
  /** SHA-256 of the address's token, hexadecimal. */
  tokenHash: string;
  /** A keyed hash of each header, by which a shop's secret header is recognised later (`toHeaderProofs`). */
  headerProofs: string[];
  receivedAt: Date;
  rawBody: Buffer;
}

/** What became of it; `topic` is the event's kind. */
export interface PrintReceipt {
  result: 'stored' | 'duplicate' | 'unknown_address' | 'spooled';
  topic: string;
}

/**
 * Keeps an event of the print service for the shop whose address it came to. `unknown_address`: no shop has it, it has expired, or the
 * shop's secret header was not there. Throws InvalidInputError when the body is no JSON object, and what the database throws.
 */
export async function receivePrintDelivery(app: App, arrival: PrintArrival): Promise<PrintReceipt> {
  const body = parseJsonObject(arrival.rawBody);
  const event = parseEvent(body);
  const shopId = await findAddressee(app, arrival);
  if (shopId === null) return { result: 'unknown_address', topic: event.kind };
  const bodySha256 = createHash('sha256').update(arrival.rawBody).digest('hex');
  const orderId = 'orderId' in event ? event.orderId : null;
  const result = await receiveDelivery(app, {
    source: 'print',
    shopId,
    dedupeKey: toDedupeKey(event, orderId, bodySha256, arrival.receivedAt),
    topic: event.kind,
    eventId: event.id,
    resourceIds: {},
    body: withoutPreview(body),
    bodySha256,
    occurredAt: 'created' in event && event.created !== null ? parseTimestamp(event.created) : null,
    receivedAt: arrival.receivedAt,
    result: event.kind === 'unknown' ? 'unknown_kind' : null,
  });
  return { result, topic: event.kind };
}

/** The address of a preview is signed and expires: whoever wants to see it reads it anew, and it is kept nowhere. */
function withoutPreview(body: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).filter(([name]) => name !== 'previewUrl'));
}

/** The id of the shop whose address this is; null for none, and for one whose secret header is missing or wrong. */
export async function findAddressee(
  app: App,
  arrival: Pick<PrintArrival, 'tokenHash' | 'headerProofs' | 'receivedAt'>,
): Promise<number | null> {
  // An address is judged by the time of arrival, not of the replay.
  const shop = await findShopByPrintWebhookTokenHash({ ...app, now: () => arrival.receivedAt }, arrival.tokenHash);
  if (!shop) return null;
  const header = readPrintWebhookHeader(app, shop);
  if (!header) return shop.id;
  const expected = app.config.encryptionKeys.map(({ key }) => toProof(key, header.name, header.value));
  return arrival.headerProofs.some((proof) => expected.some((one) => isSame(one, proof))) ? shop.id : null;
}

/** A keyed hash of every header (name and value alternate, as Node gives them): tells a known value, and no other. */
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
 * Kind, event id, order id and body: ids repeat between kinds (interface notes, event ids). The older stock event has no id and reads the
 * same each time that a product is back: it is another one after a minute. Hashed, since they have no limit.
 */
function toDedupeKey(event: PrintEvent, orderId: string | null, bodySha256: string, receivedAt: Date): string {
  const isNameless = event.kind === 'catalog_product_stock_availability_updated' && event.id === null;
  const minute = isNameless ? [Math.floor(receivedAt.getTime() / 60_000)] : [];
  const parts = JSON.stringify([event.kind, event.id, orderId, bodySha256, ...minute]);
  return createHash('sha256').update(parts).digest('hex');
}
