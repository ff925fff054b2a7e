import type { Middleware } from 'koa';
import type { App } from '../app.ts';
import { InvalidInputError } from '../errors.ts';
import { findAddressee, receivePrintDelivery, toHeaderProofs } from '../inbox/receive-print-delivery.ts';
import type { PrintArrival, PrintReceipt } from '../inbox/receive-print-delivery.ts';
import type { Spool } from '../inbox/spool.ts';
import { hashPrintWebhookToken } from '../shops/print-webhook-address.ts';
import { DoorError, nothingHere } from './error-response.ts';
import { inTime } from './in-time.ts';
import type { Metrics } from './metrics.ts';
import { readRawBody } from './raw-body.ts';

const BODY_LIMIT = 256 * 1024;
const STORE_MS = 3_000;

type Address = Omit<PrintArrival, 'rawBody'>;

/**
 * `POST /webhooks/print/:token`: an event is tried three times and then lost, so one that the database cannot take now is put on the
 * disk and answered 200 all the same. An unknown address is answered as a path that leads nowhere.
 */
export function printWebhooks(app: App, spool: Spool, metrics: Metrics): Middleware {
  return async (ctx) => {
    const address: Address = {
      tokenHash: hashPrintWebhookToken(String(ctx['params'].token)),
      headerProofs: toHeaderProofs(app, ctx.req.rawHeaders),
      receivedAt: app.now(),
    };
    const receipt = await receive(app, spool, address, readRawBody(ctx.req, BODY_LIMIT));
    metrics.deliveries.inc({ source: 'print', ...receipt });
    if (receipt.result === 'unknown_address') throw nothingHere();
    ctx.status = 200;
    ctx.body = {};
  };
}

async function receive(app: App, spool: Spool, address: Address, reading: Promise<Buffer>) {
  try {
    return await receiveOrSpool(app, spool, { ...address, rawBody: await reading });
  } catch (error) {
    // Whoever does not know a token is not told what is wrong with the body either.
    if (isAboutTheBody(error) && (await isUnknown(app, address))) throw nothingHere();
    throw error;
  }
}

/** Throws InvalidInputError when the body is no JSON object, DoorError 503 when neither database nor disk can keep the event. */
async function receiveOrSpool(app: App, spool: Spool, arrival: PrintArrival): Promise<PrintReceipt> {
  try {
    return await inTime(receivePrintDelivery(app, arrival), STORE_MS);
  } catch (error) {
    if (error instanceof InvalidInputError) throw error;
    app.log.warn({ error }, 'the database cannot store an event: it is spooled');
  }
  try {
    await spool.append(arrival);
    return { result: 'spooled', topic: 'any' };
  } catch (cause) {
    throw new DoorError(503, 'cannot_store', 'The event cannot be kept now: send it again.', { cause });
  }
}

function isAboutTheBody(error: unknown): boolean {
  return error instanceof InvalidInputError || (error instanceof DoorError && error.status < 500);
}

/** False while the database is away: then nobody can tell. */
async function isUnknown(app: App, address: Address): Promise<boolean> {
  return inTime(findAddressee(app, address), STORE_MS).then(
    (shopId) => shopId === null,
    () => false,
  );
}
