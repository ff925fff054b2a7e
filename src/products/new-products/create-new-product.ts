import { In, IsNull, Not, Raw, type EntityManager } from 'typeorm';
import { levelOf } from '../../log.ts';
import type { App } from '../../app.ts';
import { NewProducts, type NewProduct, type NewProductProblem } from '../../database/entities/new-products.ts';
import type { ExtendedCalls, PrintService } from '../../print/client.ts';
import { PrintServiceError } from '../../print/errors.ts';
import { parseTimestamp } from '../../print/parse-timestamp.ts';
import type { CreateStoreProductRequest } from '../../print/current/store-products.ts';
import { openStoreProducts } from '../store-products/read-store-product.ts';
import { decideAfterCreate, decideBeforeCreate, type Candidate } from './decide-new-product.ts';
import { savePublishingState } from './save-publishing-state.ts';
import { enqueueCreateProduct } from './enqueue-create-product.ts';
import { enqueueReadStoreProduct } from '../store-products/enqueue-readings.ts';

const FIRST_WAIT_MS = 2_000;
const MAX_WAIT_MS = 300_000;
/** Publishing takes a few minutes at most. After this time, the product is shown as stuck, and the hourly poll continues to check it. */
const PUBLISHED_WITHIN_MS = 60 * 60_000;
/** The waits between this many attempts add up to almost three hours. Platen then stops waiting for the service. */
const MAX_TRIES = 40;
/** A request that could not be sent within this time, for example because the app was removed from the store, fails. */
const ASKED_WITHIN_MS = 24 * 60 * 60_000;

/**
 * Advances a requested product by one step, and enqueues itself again until the product is published or has failed. The service has no
 * idempotency key (docs/rules/created-once.md#similar-calls). Platen therefore lists the store's products with the requested title, records
 * the attempt, and then sends the create request once. If the response is lost, Platen looks for the product and never sends the request
 * again. Safe to run twice.
 */
export async function createNewProduct(app: App, { newProductId }: { newProductId: string }): Promise<void> {
  const row = await app.db.manager.findOneBy(NewProducts, { id: newProductId, finishedAt: IsNull() });
  const scope = row && (await openStoreProducts(app, row.shopId));
  if (!row || !scope) return;
  const { service, printAccountId } = scope;
  const wasSent = row.state !== 'waiting';
  if (printAccountId !== row.printAccountId) return failProduct(app, row, wasSent ? SENT_WITH_OTHER_KEY : OTHER_KEY);
  const isOld = app.clock.now().getTime() - row.askedAt.getTime() > ASKED_WITHIN_MS;
  if (!wasSent && isOld) return failProduct(app, row, UNAVAILABLE);
  try {
    const { extended } = service;
    if (row.state === 'publishing') return await followProduct(app, row, service);
    if (extended === 'unsupported') return await failProduct(app, row, wasSent ? UNKNOWN : EXTENDED_OFF);
    await (wasSent ? resolveCreateOutcome(app, row, extended) : sendRequest(app, row, extended));
  } catch (error) {
    if (!(error instanceof PrintServiceError)) throw error;
    const refusal = row.state === 'waiting' ? toRefusal(error) : null;
    if (refusal) return failProduct(app, row, refusal);
    const { operation, outcome, retryAfterSeconds } = error;
    app.log[levelOf(error)](
      { shopId: row.shopId, newProductId, operation, outcome },
      'a requested product has to wait',
    );
    await retryLater(app, row, retryAfterSeconds);
  }
}

/** Lists the products with the requested title, records the attempt and sends the create request once. */
async function sendRequest(app: App, row: NewProduct, extended: ExtendedCalls): Promise<void> {
  if (await isAnotherSending(app.db.manager, row)) return retryLater(app, row, null);
  const before = await findByTitle(row, extended);
  const problem = decideBeforeCreate(await excludeOtherRequests(app, row, before), row.askedAt);
  if (problem) return failProduct(app, row, problem);
  // Includes products that other requests created, because the rows of those requests may be deleted before the outcome is decided.
  const idsBefore = before.map(({ id }) => id);
  const attempt = { state: 'sending' as const, idsBefore, attemptedAt: app.clock.now(), tries: 0 };
  const begun = await app.db.transaction(async (manager) => {
    await manager.query('select pg_advisory_xact_lock($1, $2)', [LOCK, row.shopId]);
    if (await isAnotherSending(manager, row)) return null;
    return (await manager.update(NewProducts, { id: row.id, state: 'waiting' }, attempt)).affected === 1;
  });
  if (begun === null) return retryLater(app, row, null);
  if (!begun) return;
  try {
    const made = await extended.createStoreProductFromTemplate(row.storeId, row.request as CreateStoreProductRequest);
    await recordCreatedProduct(app, row, made.id);
  } catch (error) {
    if (!(error instanceof PrintServiceError)) throw error;
    await receiveFailure(app, row, error);
  }
}

/** The first key of the advisory lock under which attempts begin. The second key is the shop's ID. */
const LOCK = 578_804_691;

/** After a lost response, a product is recognized by its title, so create requests with the same title are sent one at a time. */
function isAnotherSending(
  manager: EntityManager,
  { id, shopId, storeId, request: { title } }: NewProduct,
): Promise<boolean> {
  const ofTitle = Raw((request) => `${request} ->> 'title' = :title`, { title });
  return manager.existsBy(NewProducts, {
    id: Not(id),
    shopId,
    storeId,
    state: 'sending',
    finishedAt: IsNull(),
    request: ofTitle,
  });
}

/** Retries or fails the create request only if it certainly created nothing. Otherwise, a later job looks for the product. */
async function receiveFailure(app: App, row: NewProduct, error: PrintServiceError): Promise<void> {
  const refusal = toRefusal(error);
  if (refusal) return failProduct(app, row, refusal);
  if (error.outcome === 'nothing_made') {
    await app.db.manager.update(NewProducts, { id: row.id, state: 'sending' }, { state: 'waiting', attemptedAt: null });
    return retryLater(app, row, error.retryAfterSeconds);
  }
  const ids = { shopId: row.shopId, newProductId: row.id };
  app.log.warn(ids, 'it is unclear whether a product was created; looking for it');
  await retryLater(app, { ...row, state: 'sending', tries: 0 }, null);
}

/** Returns why the service will never create the product, or null if the failure may be temporary or its cause is unknown. */
function toRefusal({ outcome, field, serviceMessage, retryable }: PrintServiceError): NewProductProblem | null {
  if (outcome === 'account_refused') return KEY_REFUSED;
  if (outcome === 'unavailable' && !retryable) return TOO_MANY;
  if (outcome !== 'refused' && outcome !== 'not_found') return null;
  const says = serviceMessage === null ? '' : `: ${serviceMessage}`;
  return {
    code: 'refused',
    field,
    message: `The print service refuses the product${says}. Correct the request and send it again.`,
  };
}

async function resolveCreateOutcome(app: App, row: NewProduct, extended: ExtendedCalls): Promise<void> {
  const { submitQuietSeconds: quietSeconds } = app.config.print;
  const lookedAt = app.clock.now();
  const found = await excludeOtherRequests(app, row, await findByTitle(row, extended));
  const decided = decideAfterCreate(found, row, { now: lookedAt, quietSeconds });
  if (decided === null) return retryLater(app, row, null);
  if ('problem' in decided) return failProduct(app, row, decided.problem);
  await recordCreatedProduct(app, row, decided.storeProductId);
}

async function recordCreatedProduct(app: App, row: NewProduct, storeProductId: string): Promise<void> {
  const made = { state: 'publishing' as const, storeProductId, madeAt: app.clock.now(), tries: 0 };
  await app.db.transaction(async (manager) => {
    await manager.update(NewProducts, { id: row.id, state: 'sending' }, made);
    await enqueueCreateProduct(manager, row.id, { runAt: new Date(app.clock.now().getTime() + FIRST_WAIT_MS) });
  });
}

/**
 * Checks at the service whether the new product has been published. Checks again later if it has not, and fails the request once publishing
 * has taken too long. An event or the hourly poll may report the result first.
 */
async function followProduct(app: App, row: NewProduct, service: PrintService): Promise<void> {
  const { shopId, storeId, storeProductId, madeAt } = row;
  if (storeProductId === null) return;
  const isLate = madeAt !== null && app.clock.now().getTime() - madeAt.getTime() > PUBLISHED_WITHIN_MS;
  try {
    const state = await savePublishingState(app, shopId, await service.getStoreProduct(storeId, storeProductId));
    // Enqueues the same reading as an event does, which also saves the product's data from the shop's store.
    if (state === 'published') return enqueueReadStoreProduct(app.db, { shopId, storeId, storeProductId });
    if (state === 'failed') return;
    if (isLate) return failProduct(app, row, STUCK);
  } catch (error) {
    // A product that was just created may not be visible yet.
    if (!(error instanceof PrintServiceError) || error.outcome !== 'not_found') throw error;
    if (isLate) return failProduct(app, row, DELETED_AT_SERVICE);
  }
  await retryLater(app, row, null);
}

/** Lists the store's products with the requested title. Throws PrintServiceError, including if the store has too many products to list. */
async function findByTitle({ storeId, request }: NewProduct, extended: ExtendedCalls): Promise<Candidate[]> {
  const found: Candidate[] = [];
  for await (const { id, title, createdAt } of extended.listStoreProducts(storeId))
    if (title?.trim() === request.title)
      found.push({ id, createdAt: createdAt === null ? null : parseTimestamp(createdAt) });
  return found;
}

/** Excludes products that were created by other requests. */
async function excludeOtherRequests(
  app: App,
  { shopId, storeId }: NewProduct,
  found: readonly Candidate[],
): Promise<Candidate[]> {
  const ids = found.map(({ id }) => id);
  const others = await app.db.manager.findBy(NewProducts, { shopId, storeId, storeProductId: In(ids) });
  return found.filter(({ id }) => others.every(({ storeProductId }) => storeProductId !== id));
}

async function retryLater(app: App, row: NewProduct, retryAfterSeconds: number | null): Promise<void> {
  const wasSent = row.state !== 'waiting';
  if (row.tries >= MAX_TRIES) return failProduct(app, row, wasSent ? UNKNOWN : UNAVAILABLE);
  await app.db.manager.update(NewProducts, { id: row.id }, { tries: row.tries + 1 });
  const waitMs = Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(row.tries, 10));
  const runAt = new Date(app.clock.now().getTime() + Math.max(waitMs, (retryAfterSeconds ?? 0) * 1000));
  await enqueueCreateProduct(app.db, row.id, { runAt });
}

async function failProduct(app: App, { id, shopId }: NewProduct, problem: NewProductProblem): Promise<void> {
  app.log.warn(
    { shopId, newProductId: id, code: problem.code },
    'a requested product was not created or not published',
  );
  const failed = { state: 'failed' as const, problem, finishedAt: app.clock.now() };
  await app.db.manager.update(NewProducts, { id, finishedAt: IsNull() }, failed);
}

const toProblem = (code: string, message: string): NewProductProblem => ({ code, field: null, message });
const OTHER_KEY = toProblem(
  'other_print_key',
  "The shop's print key has changed. Request the product again to create it with the new key.",
);
const SENT_WITH_OTHER_KEY = toProblem(
  'other_print_key',
  "The shop's print key has changed since the product was sent. Check in the earlier account's dashboard whether the product was created.",
);
const EXTENDED_OFF = toProblem(
  'extended_calls_off',
  'The shop does not use the print service calls that create products. If your account has these calls, switch on “My account can read, confirm and cancel orders” in the settings.',
);
const KEY_REFUSED = toProblem(
  'print_key_refused',
  "The print service does not accept the shop's API key. Enter the key again, then request the product again.",
);
const TOO_MANY = toProblem(
  'too_many_products',
  'The store has too many products at the print service to check whether this one was created. Create the product in the dashboard there.',
);
const UNAVAILABLE = toProblem(
  'print_service_unavailable',
  'The print service did not respond, and nothing was created. Request the product again.',
);
const UNKNOWN = toProblem(
  'outcome_unknown',
  'The print service did not report the outcome. Check its dashboard before you request the product again.',
);
const STUCK = toProblem(
  'publishing_stuck',
  "The print service has been publishing the product for over an hour. Publish it again in the print service's dashboard, or contact its support.",
);
const DELETED_AT_SERVICE = toProblem('deleted_at_service', 'The product was deleted at the print service.');
