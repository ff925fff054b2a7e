import type { Context, Middleware } from 'koa';
import type { App } from '../../app.ts';
import type { PrintAddresses } from '../../inbox/open-print-addresses.ts';
import { parsePrintBody, storePrintEvent, toHeaderProofs } from '../../inbox/receive-print-delivery.ts';
import type { PrintArrivalHead, PrintReceipt } from '../../inbox/receive-print-delivery.ts';
import type { Spool } from '../../inbox/spool.ts';
import { hashPrintWebhookToken } from '../../shops/print-account/print-webhook-address.ts';
import type { CallbackCounts } from '../../shops/callbacks/count-callbacks.ts';
import { EndpointError, unknownAddressError } from '../error-response.ts';
import { admitRequest, admitUnidentified } from '../limits/admit.ts';
import type { Limits } from '../limits/limits.ts';
import type { Metrics } from '../ops/metrics.ts';
import { readRawBody } from '../raw-body.ts';
import { tryWithTimeLimit } from '../try-with-time-limit.ts';
import type { Clock } from '../../clock.ts';

const BODY_LIMIT = 256 * 1024;
const FIND_MS = 2_000;
const STORE_MS = 3_000;

/** Preserves events during a database outage, using the disk and the addresses that this process knows. */
export interface OutageFallback {
  addresses: PrintAddresses;
  spool: Spool;
}

/**
 * `POST /webhooks/print/:token`: stores an event. The service sends each event at most three times, so if the database cannot store the
 * event now, the event is written to disk and the response is still 200. The address is checked before the body is read. An unknown address
 * receives a 404 like an unknown path, or a 503 while it cannot be checked, and nothing from the request is stored.
 */
export function printWebhooks(
  app: App,
  fallback: OutageFallback,
  limits: Limits,
  metrics: Metrics,
  counts: CallbackCounts,
): Middleware {
  return async (ctx) => {
    const arrival: PrintArrivalHead = {
      tokenHash: hashPrintWebhookToken(String(ctx['params'].token)),
      headerProofs: toHeaderProofs(app, ctx.req.rawHeaders),
      receivedAt: app.clock.now(),
    };
    if (fallback.addresses.findInMemory(arrival) === null) admitUnidentified(limits.unidentified, ctx, 503);
    const found = await findShop(app.clock, fallback.addresses, arrival);
    if (found.shopId !== null) admitRequest(limits.events, ctx, String(found.shopId), 503);
    const { shopId, isAway } = found;
    const receipt: PrintReceipt =
      shopId === null
        ? { result: 'unknown_address', topic: 'any' }
        : await counts.during({ kind: 'event', shop: shopId }, () =>
            receiveEvent(app, ctx, fallback.spool, arrival, { shopId, isAway }),
          );
    metrics.deliveries.inc({ source: 'print', ...receipt });
    if (receipt.result === 'unknown_address') throw unknownAddressError();
    ctx.status = 200;
    ctx.body = {};
  };
}

/** `isAway`: the database did not respond, so the last known shop for the address is used. Throws EndpointError 503 if no shop is known. */
async function findShop(
  clock: Clock,
  addresses: PrintAddresses,
  arrival: PrintArrivalHead,
): Promise<{ shopId: number | null; isAway: boolean }> {
  const tried = await tryWithTimeLimit(clock, () => addresses.find(arrival), FIND_MS);
  if ('value' in tried) return { shopId: tried.value, isAway: false };
  const shopId = addresses.findInMemory(arrival);
  if (shopId === null) throw cannotStoreError(tried.error);
  return { shopId, isAway: !tried.wasBusy };
}

/** Throws InvalidInputError if the body is not an event, and EndpointError 503 if neither the database nor the disk can store the event. */
async function receiveEvent(
  app: App,
  ctx: Context,
  spool: Spool,
  addressed: PrintArrivalHead,
  { shopId, isAway }: { shopId: number; isAway: boolean },
): Promise<PrintReceipt> {
  const arrival = { ...addressed, rawBody: await readRawBody(ctx, BODY_LIMIT) };
  const body = parsePrintBody(arrival.rawBody);
  if (!isAway) {
    const tried = await tryWithTimeLimit(app.clock, () => storePrintEvent(app, shopId, arrival, body), STORE_MS);
    if ('value' in tried) return tried.value;
    if (tried.wasBusy) throw cannotStoreError(tried.error);
    app.log.warn({ shopId, error: tried.error }, 'the database cannot store an event, so it is written to the spool');
  }
  try {
    await spool.append(arrival);
    return { result: 'spooled', topic: 'any' };
  } catch (cause) {
    throw cannotStoreError(cause);
  }
}

function cannotStoreError(cause: unknown): EndpointError {
  return new EndpointError(503, 'cannot_store', 'The event cannot be stored now. Send it again.', { cause });
}
