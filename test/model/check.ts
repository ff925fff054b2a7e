import type { PrintOrderState } from '../../src/database/entities/print-orders.ts';
import type { BookedOrder } from './service.ts';
import type { Run } from './run.ts';
import { CONTROL } from './world.ts';

interface Row {
  id: string;
  reference: string;
  state: PrintOrderState;
  serviceOrderId: string | null;
  isConfirmed: boolean;
  isFenced: boolean;
  comment: string | null;
}

/** The tracking code in events of a spare draft. This code must never be stored for the order. */
export const SPARE_CODE = 'SPARE1234';

/** The state before the checked step: for each print order, the ID of the order or draft that it had chosen at the service. */
export interface Seen {
  chosen: Map<string, string>;
}

/** Checks the invariants that must hold after every step, using the service's own books. */
export async function check(run: Run, seen: Seen): Promise<void> {
  const facts = await readFacts(run);
  checkBooks(run);
  checkCreates(run);
  for (const row of facts.rows) {
    if (row.isFenced && run.service.live().some(({ reference }) => reference === row.reference))
      run.fail(`${row.reference} is fenced, but an order with this reference is live`);
    const isOrder = run.service.books.some(({ id, orderType }) => id === row.serviceOrderId && orderType === 'order');
    if (row.isConfirmed && !isOrder)
      run.fail(`${row.reference} is confirmed as ${row.serviceOrderId}, which is not an order`);
    if (row.comment !== null) run.fail(`the comment of an event of a spare draft is stored for ${row.reference}`);
    checkChosen(run, row, seen.chosen.get(row.id));
  }
  seen.chosen = new Map(
    facts.rows.flatMap(({ id, serviceOrderId }) => (serviceOrderId === null ? [] : [[id, serviceOrderId]])),
  );
  checkAttempts(run, facts.attempts);
  if (run.way === 'draft' && facts.codes.includes(SPARE_CODE))
    run.fail('the tracking code of a spare draft is stored for the order');
}

/**
 * Checks that each reference has at most one live order, that no more units are printed than were ever wanted, and that no order is live
 * after an accepted cancellation.
 */
function checkBooks(run: Run): void {
  const live = run.service.live().filter(({ reference }) => reference !== CONTROL);
  const references = new Set(live.map(({ reference }) => reference));
  if (references.size < live.length)
    run.fail(`two live orders with one reference: ${live.map(({ id }) => id).join(', ')}`);
  const units = countUnits(live);
  if (units > run.store.most)
    run.fail(
      `${units} units are printed, but at most ${run.store.most} were wanted: ${live.map(({ id }) => id).join(', ')}`,
    );
  if (live.length > 0 && run.store.requestStatus === 'CANCELLATION_ACCEPTED')
    run.fail(`the cancellation was accepted, but orders are still live: ${live.map(({ id }) => id).join(', ')}`);
}

function checkCreates(run: Run): void {
  const [fault] = run.service.faults;
  if (fault !== undefined) run.fail(fault);
  const recent = run.service.creates.slice(run.createsBeforeRestore);
  if (run.way === 'draft' && recent.some(({ orderType }) => orderType === 'order'))
    run.fail('an order is created without a draft');
  // A reference must not be used for two different bodies.
  const bodies = new Map<string, string>();
  for (const { reference, body } of recent) {
    if ((bodies.get(reference) ?? body) !== body) run.fail(`${reference} was created with two bodies`);
    bodies.set(reference, body);
  }
}

/**
 * Checks that a print order's chosen ID changes only to the ID of an order, and only after the previously chosen order or draft was deleted
 * or canceled.
 */
function checkChosen(run: Run, { id, reference, serviceOrderId }: Row, before: string | undefined): void {
  if (before === undefined || before === serviceOrderId) return;
  const old = run.service.books.find((one) => one.id === before);
  const isOver = old !== undefined && (old.deleted || old.status === 'canceled');
  const isOrder = run.service.books.some((one) => one.id === serviceOrderId && one.orderType === 'order');
  if (!isOver || !isOrder)
    run.fail(`the chosen ID of ${reference} (${id}) changed from ${before} to ${serviceOrderId}`);
}

/** Checks that every create request has a row in `submit_attempts`, whether the request was sent or is about to be sent. */
function checkAttempts(run: Run, attempts: Facts['attempts']): void {
  const waiting = run.waiting().flatMap(({ call }) => (call?.create && !call.taken ? [call.create] : []));
  const creates = [...run.service.creates.slice(run.createsBeforeRestore), ...waiting];
  for (const { reference, orderType } of creates) {
    const isSame = (one: { reference: string; orderType: string }): boolean =>
      one.reference === reference && one.orderType === orderType;
    const made = creates.filter(isSame).length;
    const known = attempts.filter(isSame).length;
    if (made > known) run.fail(`${made} create requests for ${reference}, but ${known} attempts`);
  }
}

/** The database's data about the order. */
interface Facts {
  rows: Row[];
  attempts: { reference: string; orderType: string }[];
  codes: string[];
  /** Codes of the open holds. */
  holds: string[];
  /** Codes of all holds, including resolved ones. */
  everHeld: string[];
}

async function readFacts(run: Run): Promise<Facts> {
  const [{ facts }]: [{ facts: Facts }] = await run.db.query(
    `select json_build_object(
       'rows', (select coalesce(json_agg(json_build_object('id', id, 'reference', reference, 'state', state, 'serviceOrderId', service_order_id,
           'isConfirmed', confirmed_at is not null, 'isFenced', fenced_at is not null, 'comment', (select max(comment) from service_comments c where c.print_order_id = print_orders.id and item_reference_id = '')) order by part), '[]')
         from print_orders where storefront_order_id = $1),
       'attempts', (select coalesce(json_agg(json_build_object('reference', p.reference, 'orderType', a.order_type)), '[]')
         from submit_attempts a join print_orders p on p.id = a.print_order_id),
       'codes', (select coalesce(json_agg(tracking_code), '[]') from packages),
       'holds', (select coalesce(json_agg(distinct code), '[]') from holds where storefront_order_id = $1 and resolved_at is null),
       'everHeld', (select coalesce(json_agg(distinct code), '[]') from holds where storefront_order_id = $1)) as facts`,
    [run.world.storefrontOrderId],
  );
  return facts;
}

const OVER: ReadonlySet<PrintOrderState> = new Set([
  'submitted',
  'in_production',
  'shipped',
  'canceled',
  'failed',
  'fulfilled',
]);

/** The state of a run. */
export interface RunStatus {
  /** The reason why the order is still in progress. Null if every print order is in a final state or held with a reason. */
  moving: string | null;
  holds: string[];
  everHeld: string[];
}

/**
 * Reads the state of a run. If `isSwept` is true, no spare draft may remain. Otherwise, a spare draft that the search shows late may
 * remain, because it is never printed or charged.
 */
export async function readRunStatus(run: Run, isSwept: boolean): Promise<RunStatus> {
  const { rows, holds, everHeld } = await readFacts(run);
  return { moving: inProgressReason(run, rows, holds) ?? (isSwept ? findSpare(run, rows) : null), holds, everHeld };
}

function inProgressReason(run: Run, rows: readonly Row[], holds: readonly string[]): string | null {
  const { service, store, way, causes } = run;
  const moving = rows.find(
    ({ state, isFenced }) => !isFenced && !OVER.has(state) && (state !== 'held' || holds.length === 0),
  );
  if (moving) return `${moving.reference} is ${moving.state}`;
  // This hold reports an order that is missing from the restored database. The cancellation request stays open until someone resolves the
  // hold.
  const isReported = holds.includes('unknown_print_order');
  if (store.requestStatus === 'CANCELLATION_REQUESTED' && !isReported) return 'the cancellation request is still open';
  const live = service.live().filter(({ reference }) => reference !== CONTROL);
  const isKnown = (id: string): boolean =>
    isReported || rows.some((row) => row.isConfirmed && row.serviceOrderId === id);
  const unknown = live.find(({ id }) => !isKnown(id));
  if (unknown) return `${unknown.id} is printed, but no print order or hold refers to it`;
  // Without a call that shows items, Platen cannot detect that a found order was created before a change in the store.
  const isUnknowable =
    way === 'direct without extended calls' && causes.has('restore') && (causes.has('more') || causes.has('fewer'));
  if (holds.length > 0 || isUnknowable || store.requestStatus === 'CANCELLATION_REJECTED') return null;
  const units = countUnits(live);
  return units === store.wanted()
    ? null
    : `${units} units are printed, ${store.wanted()} are wanted, and nothing is held`;
}

function findSpare({ service }: Run, rows: readonly Row[]): string | null {
  const needed = new Set(rows.filter(({ isFenced }) => !isFenced).map(({ serviceOrderId }) => serviceOrderId));
  // A restored database may lack a part for which a draft exists.
  const spare = service.books.find(
    ({ id, reference, orderType, deleted }) =>
      orderType === 'draft' && !deleted && !needed.has(id) && rows.some((row) => row.reference === reference),
  );
  return spare ? `the spare draft ${spare.id} was not deleted` : null;
}

function countUnits(orders: readonly BookedOrder[]): number {
  return orders.flatMap(({ body }) => body.items).reduce((sum, { quantity }) => sum + quantity, 0);
}
