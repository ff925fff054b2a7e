import { In, IsNull, Not, Raw, type EntityManager } from 'typeorm';
import { levelOf } from '../../log.ts';
import type { App } from '../../app.ts';
import { NewProducts, type NewProduct, type NewProductProblem } from '../../database/entities/new-products.ts';
import type { ExtendedCalls, PrintService } from '../../print/client.ts';
import { PrintServiceError } from '../../print/errors.ts';
import { parseTimestamp } from '../../print/parse-timestamp.ts';
import type { CreateStoreProductRequest } from '../../print/legacy/store-products-v1.ts';
import { openStoreProducts } from '../store-products/read-store-product.ts';
import { decideAfter, decideBefore, type Candidate } from './decide-made.ts';
import { notePublishing } from './note-publishing.ts';
import { enqueue } from '../../jobs/enqueue.ts';

const FIRST_WAIT_MS = 2_000;
const LONGEST_WAIT_MS = 300_000;
/** Publishing takes some minutes at most. After this time the product is shown as stuck, and the hourly poll continues. */
const PUBLISHED_WITHIN_MS = 60 * 60_000;
/** With the longest waits that is some hours: a service that is away so long is not waited for. */
const MOST_TRIES = 40;
/** Nobody waits any more for what could not be sent by then, such as while the app was removed from the store. */
const ASKED_WITHIN_MS = 24 * 60 * 60_000;

/**
 * Takes a product that was asked for one step on, and comes again until it is published or failed. The service has no key against a second
 * product (docs/rules/created-once.md#similar-calls): so the store's products of that title are listed first, the attempt is
 * recorded before the call, the call is sent once, and where its answer is lost the product is looked for, never sent again. Safe
 * to run twice.
 */
export async function makeNewProduct(app: App, { newProductId }: { newProductId: string }): Promise<void> {
  const row = await app.db.manager.findOneBy(NewProducts, { id: newProductId, finishedAt: IsNull() });
  const scope = row && (await openStoreProducts(app, row.shopId));
  if (!row || !scope) return;
  const { service, printAccountId } = scope;
  const wasSent = row.state !== 'waiting';
  if (printAccountId !== row.printAccountId) return fail(app, row, wasSent ? SENT_WITH_OTHER_KEY : OTHER_KEY);
  const isOld = app.now().getTime() - row.askedAt.getTime() > ASKED_WITHIN_MS;
  if (!wasSent && isOld) return fail(app, row, UNAVAILABLE);
  try {
    const { extended } = service;
    if (row.state === 'publishing') return await follow(app, row, service);
    if (extended === 'unsupported') return await fail(app, row, wasSent ? UNKNOWN : EXTENDED_OFF);
    await (wasSent ? lookForMade(app, row, extended) : send(app, row, extended));
  } catch (error) {
    if (!(error instanceof PrintServiceError)) throw error;
    const refusal = row.state === 'waiting' ? toRefusal(error) : null;
    if (refusal) return fail(app, row, refusal);
    const { operation, outcome, retryAfterSeconds } = error;
    app.log[levelOf(error)](
      { shopId: row.shopId, newProductId, operation, outcome },
      'a product that was asked for has to wait',
    );
    await again(app, row, retryAfterSeconds);
  }
}

/** Looks, records the attempt, sends once. */
async function send(app: App, row: NewProduct, extended: ExtendedCalls): Promise<void> {
  if (await isAnotherSending(app.db.manager, row)) return again(app, row, null);
  const before = await findByTitle(row, extended);
  const problem = decideBefore(await leaveOutOthers(app, row, before), row.askedAt);
  if (problem) return fail(app, row, problem);
  // Those that were asked for otherwise too: what is known of them is removed one day.
  const idsBefore = before.map(({ id }) => id);
  const attempt = { state: 'sending' as const, idsBefore, attemptedAt: app.now(), tries: 0 };
  const begun = await app.db.transaction(async (manager) => {
    await manager.query('select pg_advisory_xact_lock($1, $2)', [LOCK, row.shopId]);
    if (await isAnotherSending(manager, row)) return null;
    return (await manager.update(NewProducts, { id: row.id, state: 'waiting' }, attempt)).affected === 1;
  });
  if (begun === null) return again(app, row, null);
  if (!begun) return;
  try {
    const made = await extended.createStoreProductFromTemplate(row.storeId, row.request as CreateStoreProductRequest);
    await noteMade(app, row, made.id);
  } catch (error) {
    if (!(error instanceof PrintServiceError)) throw error;
    await receiveFailure(app, row, error);
  }
}

/** With the shop's id, the lock under which attempts begin. */
const LOCK = 578_804_691;

/** Products are told apart by their titles: of one title one is sent at a time, so that what is found is that one's. */
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

/** Only what certainly made nothing is sent again, or given up. */
async function receiveFailure(app: App, row: NewProduct, error: PrintServiceError): Promise<void> {
  const refusal = toRefusal(error);
  if (refusal) return fail(app, row, refusal);
  if (error.outcome === 'nothing_made') {
    await app.db.manager.update(NewProducts, { id: row.id, state: 'sending' }, { state: 'waiting', attemptedAt: null });
    return again(app, row, error.retryAfterSeconds);
  }
  const ids = { shopId: row.shopId, newProductId: row.id };
  app.log.warn(ids, 'it is not known whether a product was made; it is looked for');
  await again(app, { ...row, state: 'sending', tries: 0 }, null);
}

/** Why the service will not make it, however often it is asked; null: that may pass, or is not known. */
function toRefusal({ outcome, field, serviceMessage, retryable }: PrintServiceError): NewProductProblem | null {
  if (outcome === 'account_refused') return KEY_REFUSED;
  if (outcome === 'unavailable' && !retryable) return TOO_MANY;
  if (outcome !== 'refused' && outcome !== 'not_found') return null;
  const says = serviceMessage === null ? '' : `: ${serviceMessage}`;
  return { code: 'refused', field, message: `The print service refuses it${says}. Mend it and ask again.` };
}

async function lookForMade(app: App, row: NewProduct, extended: ExtendedCalls): Promise<void> {
  const { submitQuietSeconds: quietSeconds } = app.config.print;
  const lookedAt = app.now();
  const found = await leaveOutOthers(app, row, await findByTitle(row, extended));
  const decided = decideAfter(found, row, { now: lookedAt, quietSeconds });
  if (decided === null) return again(app, row, null);
  if ('problem' in decided) return fail(app, row, decided.problem);
  await noteMade(app, row, decided.storeProductId);
}

async function noteMade(app: App, row: NewProduct, storeProductId: string): Promise<void> {
  const made = { state: 'publishing' as const, storeProductId, madeAt: app.now(), tries: 0 };
  await app.db.transaction(async (manager) => {
    await manager.update(NewProducts, { id: row.id, state: 'sending' }, made);
    await enqueue(
      manager,
      'make_new_product',
      { newProductId: row.id },
      { runAt: new Date(app.now().getTime() + FIRST_WAIT_MS) },
    );
  });
}

/** Reads the product from the service, as an event or the hourly poll would have it read. */
async function follow(app: App, row: NewProduct, service: PrintService): Promise<void> {
  const { shopId, storeId, storeProductId, madeAt } = row;
  if (storeProductId === null) return;
  const isLate = madeAt !== null && app.now().getTime() - madeAt.getTime() > PUBLISHED_WITHIN_MS;
  try {
    const state = await notePublishing(app, shopId, await service.getStoreProduct(storeId, storeProductId));
    // What the store has of it now is taken in by the reading that events bring about too.
    if (state === 'published') return enqueue(app.db, 'read_store_product', { shopId, storeId, storeProductId });
    if (state === 'failed') return;
    if (isLate) return fail(app, row, STUCK);
  } catch (error) {
    // One that was made just now may not be shown yet.
    if (!(error instanceof PrintServiceError) || error.outcome !== 'not_found') throw error;
    if (isLate) return fail(app, row, GONE);
  }
  await again(app, row, null);
}

/** The products of the store that have the title that is asked for. Throws a PrintServiceError; also when the store has too many to list. */
async function findByTitle({ storeId, request }: NewProduct, extended: ExtendedCalls): Promise<Candidate[]> {
  const found: Candidate[] = [];
  for await (const { id, title, createdAt } of extended.listStoreProducts(storeId))
    if (title?.trim() === request.title)
      found.push({ id, createdAt: createdAt === null ? null : parseTimestamp(createdAt) });
  return found;
}

/** Of these products those that are none that was asked for otherwise. */
async function leaveOutOthers(
  app: App,
  { shopId, storeId }: NewProduct,
  found: readonly Candidate[],
): Promise<Candidate[]> {
  const ids = found.map(({ id }) => id);
  const others = await app.db.manager.findBy(NewProducts, { shopId, storeId, storeProductId: In(ids) });
  return found.filter(({ id }) => others.every(({ storeProductId }) => storeProductId !== id));
}

async function again(app: App, row: NewProduct, retryAfterSeconds: number | null): Promise<void> {
  const wasSent = row.state !== 'waiting';
  if (row.tries >= MOST_TRIES) return fail(app, row, wasSent ? UNKNOWN : UNAVAILABLE);
  await app.db.manager.update(NewProducts, { id: row.id }, { tries: row.tries + 1 });
  const waitMs = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(row.tries, 10));
  const runAt = new Date(app.now().getTime() + Math.max(waitMs, (retryAfterSeconds ?? 0) * 1000));
  await enqueue(app.db, 'make_new_product', { newProductId: row.id }, { runAt });
}

async function fail(app: App, { id, shopId }: NewProduct, problem: NewProductProblem): Promise<void> {
  app.log.warn(
    { shopId, newProductId: id, code: problem.code },
    'a product that was asked for was not made or not published',
  );
  const failed = { state: 'failed' as const, problem, finishedAt: app.now() };
  await app.db.manager.update(NewProducts, { id, finishedAt: IsNull() }, failed);
}

const problem = (code: string, message: string): NewProductProblem => ({ code, field: null, message });
const OTHER_KEY = problem(
  'other_print_key',
  'The shop has another print key by now. Ask for the product again with it.',
);
const SENT_WITH_OTHER_KEY = problem(
  'other_print_key',
  'The shop has another print key since it was sent. Look in the dashboard of the earlier account what became of it.',
);
const EXTENDED_OFF = problem(
  'extended_calls_off',
  'The shop does without the call that makes products: set extendedCalls to on.',
);
const KEY_REFUSED = problem(
  'print_key_refused',
  "The print service does not accept the shop's key. Enter the key again, then ask again.",
);
const TOO_MANY = problem(
  'too_many_products',
  'The store has too many products at the print service to see whether it was made. Make it in the dashboard there.',
);
const UNAVAILABLE = problem(
  'print_service_unavailable',
  'The print service did not answer. Nothing was made: ask again.',
);
const UNKNOWN = problem(
  'outcome_unknown',
  'The print service did not report the outcome. Look in its dashboard before you ask again.',
);
const STUCK = problem(
  'publishing_stuck',
  'The print service has been publishing it for over an hour. Publish it again in its dashboard, or ask its support.',
);
const GONE = problem('deleted_at_service', 'The print service no longer has it: it was deleted there.');
