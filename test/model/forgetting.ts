/**
 * An exhaustive model of a database that forgets, and of the rebuild (docs/rules/created-once.md#restored-database). The order has two
 * fulfillment orders with one unit of the same line each. Every interleaving of Platen's steps with the merchant's, the service's and one
 * restore is visited. Calls and commits are steps of their own, so the database may forget either alone. No request takes effect late,
 * because Platen waits for the quiet time after a restore.
 */

const FULFILLMENT_ORDERS = ['A', 'B'] as const;
type FulfillmentOrder = (typeof FULFILLMENT_ORDERS)[number];

interface ServiceOrder {
  reference: string;
  status: 'draft' | 'live' | 'shipped' | 'canceled' | 'deleted';
  address: number;
}

interface Row {
  reference: string;
  fulfillmentOrder: FulfillmentOrder;
  status: 'planned' | 'chosen' | 'sent' | 'shipped' | 'canceled' | 'closed';
  address: number;
  /** `sending`: the request to create the fulfillment may have been sent. */
  push: 'none' | 'sending' | 'done';
}

interface Database {
  rows: Row[];
  /** The number of the last reference of each fulfillment order. */
  last: Record<FulfillmentOrder, number>;
  isReconciled: boolean;
}

interface State {
  store: {
    isReleased: boolean;
    isCanceled: boolean;
    address: number;
    open: Record<FulfillmentOrder, boolean>;
    fulfillments: { code: string; fulfillmentOrder: FulfillmentOrder; isCanceled: boolean }[];
  };
  service: ServiceOrder[];
  database: Database;
  backup: Database | null;
  canRestore: boolean;
  /** What has happened besides a restore. */
  event: Event | null;
}

/** What may happen besides a restore, one of them in each history. A reprint may follow a failure. */
type Event = 'cancel' | 'address' | 'failure' | 'unfulfill';

/** A step of the rebuild that a variant of the model leaves out. */
export const STEPS = [
  'read the store',
  'search all references',
  'tie by reference',
  'compare',
  'skip numbers',
] as const;
export type LeftOut = (typeof STEPS)[number] | null;

const START: State = {
  store: { isReleased: false, isCanceled: false, address: 1, open: { A: true, B: true }, fulfillments: [] },
  service: [],
  database: { rows: [], last: { A: 0, B: 0 }, isReconciled: true },
  backup: null,
  canRestore: true,
  event: null,
};

/** How many absent references in a row end the search. A fulfillment order gets at most two references here. */
const AHEAD = 2;

const numberOf = (reference: string): number => Number(reference.slice(1));
const homeOf = (reference: string): FulfillmentOrder => (reference.startsWith('A') ? 'A' : 'B');

/** Changes a copy of the state. */
function change(state: State, act: (copy: State) => void): State {
  const copy = JSON.parse(JSON.stringify(state)) as State;
  act(copy);
  return copy;
}

/** Returns why the order is visibly held. Holds follow from the facts, so they need no memory. */
function listHolds({ store, database, service }: State): string[] {
  return database.rows.flatMap(({ reference, fulfillmentOrder, status, address, push: pushed }) => {
    const isUnder = status === 'sent' || status === 'shipped';
    const found: string[] = [];
    if (isUnder && address !== store.address) found.push(`${reference} goes to the old address`);
    if (status === 'canceled' && !store.isCanceled && store.open[fulfillmentOrder])
      found.push(`${reference} was canceled`);
    if (isUnder && store.isCanceled && service.some((one) => one.reference === reference && one.status === 'shipped'))
      found.push(`${reference} cannot be canceled`);
    if (pushed === 'done' && store.open[fulfillmentOrder]) found.push(`the fulfillment of ${reference} was canceled`);
    return found;
  });
}

/** Returns what Platen can do next. */
function listOwnSteps(state: State, leftOut: LeftOut): State[] {
  const { store, database } = state;
  if (!database.isReconciled) return [rebuild(state, leftOut)];
  const planned = FULFILLMENT_ORDERS.filter((one) => isWanted(state, one)).map((one) =>
    change(state, ({ database: copy }) => {
      copy.last[one] += 1;
      const reference = `${one}${copy.last[one]}`;
      copy.rows.push({ reference, fulfillmentOrder: one, status: 'planned', address: store.address, push: 'none' });
    }),
  );
  return [...planned, ...database.rows.flatMap((row, index) => stepsOf(state, row, index))];
}

/** Returns whether a unit is left to print: the store wants it, and no print order covers it. */
function isWanted({ store, database }: State, one: FulfillmentOrder): boolean {
  if (store.isCanceled || !store.open[one] || (one === 'B' && !store.isReleased)) return false;
  return database.rows.every(({ fulfillmentOrder, status }) => fulfillmentOrder !== one || status === 'closed');
}

function stepsOf(state: State, row: Row, index: number): State[] {
  const at = state.service.findIndex((one) => one.reference === row.reference && one.status !== 'deleted');
  const found = state.service[at];
  const set = (status: Row['status']): State =>
    change(state, ({ database }) => void ((database.rows[index] as Row).status = status));
  const setFound = (status: ServiceOrder['status']): State =>
    change(state, ({ service }) => void ((service[at] as ServiceOrder).status = status));
  const isStale = state.store.isCanceled || row.address !== state.store.address;
  switch (row.status) {
    case 'planned': {
      if (!found && isStale) return [set('closed')];
      if (!found)
        return [
          change(
            state,
            ({ service }) => void service.push({ reference: row.reference, status: 'draft', address: row.address }),
          ),
        ];
      return [set(found.status === 'draft' ? 'chosen' : 'sent')];
    }
    case 'chosen': {
      if (!found) return [set('closed')];
      if (found.status !== 'draft') return [set('sent')];
      return [setFound(isStale ? 'deleted' : 'live')];
    }
    case 'sent': {
      if (found?.status === 'shipped') return [set('shipped')];
      if (found?.status === 'canceled') return [set('canceled')];
      return state.store.isCanceled ? [setFound('canceled')] : [];
    }
    case 'shipped':
      return push(state, row, index);
    default:
      return [];
  }
}

/** Creates the fulfillment in the store, or notices that it exists. A canceled one was made by this database only if it was sending it. */
function push(state: State, { reference, fulfillmentOrder, push: pushed }: Row, index: number): State[] {
  const { store } = state;
  if (pushed === 'done' || store.isCanceled) return [];
  const set = (to: Row['push']): State[] => [
    change(state, ({ database }) => void ((database.rows[index] as Row).push = to)),
  ];
  const shown = store.fulfillments.find(({ code }) => code === reference);
  if (shown && (pushed === 'sending' || !shown.isCanceled)) return set('done');
  if (!store.open[fulfillmentOrder]) return [];
  const send = change(state, ({ store: copy, database }) => {
    (database.rows[index] as Row).push = 'sending';
    copy.fulfillments.push({ code: reference, fulfillmentOrder, isCanceled: false });
    copy.open[fulfillmentOrder] = false;
  });
  // The process may die between the commit and the request.
  return pushed === 'none' ? [send, ...set('sending')] : [send];
}

/** Rebuilds the order from the books of the store and the service. */
function rebuild(state: State, leftOut: LeftOut): State {
  return change(state, ({ store, service, database }) => {
    const shown = service.filter(({ status }) => status !== 'deleted');
    const isPushed = (reference: string): boolean =>
      leftOut !== 'read the store' && store.fulfillments.some(({ code }) => code === reference);
    for (const row of database.rows) if (isPushed(row.reference)) row.push = 'done';
    for (const one of FULFILLMENT_ORDERS) {
      const first = leftOut === 'search all references' ? database.last[one] + 1 : 1;
      let end = leftOut === 'search all references' ? first : database.last[one] + AHEAD;
      for (let number = first; number <= end; number += 1) {
        const found = shown.find(({ reference }) => reference === `${one}${number}`);
        if (!found) continue;
        end = Math.max(end, leftOut === 'search all references' ? end : number + AHEAD);
        if (leftOut !== 'skip numbers') database.last[one] = Math.max(database.last[one], number);
        if (database.rows.some(({ reference }) => reference === found.reference)) continue;
        if (found.status === 'draft') {
          if (leftOut !== 'compare') found.status = 'deleted';
          continue;
        }
        const fitting = FULFILLMENT_ORDERS.find(
          (other) => store.open[other] && database.rows.every(({ fulfillmentOrder }) => fulfillmentOrder !== other),
        );
        database.rows.push({
          reference: found.reference,
          fulfillmentOrder: leftOut === 'tie by reference' ? (fitting ?? one) : one,
          status: found.status === 'live' ? 'sent' : (found.status as 'shipped' | 'canceled'),
          address: leftOut === 'compare' ? store.address : found.address,
          push: isPushed(found.reference) ? 'done' : 'none',
        });
      }
    }
    closeReplaced(database);
    database.isReconciled = true;
  });
}

/** A canceled print order that has a successor was replaced. */
function closeReplaced({ rows }: Database): void {
  for (const row of rows)
    if (
      row.status === 'canceled' &&
      rows.some(
        (other) =>
          other.fulfillmentOrder === row.fulfillmentOrder && numberOf(other.reference) > numberOf(row.reference),
      )
    )
      row.status = 'closed';
}

/** Returns what people, the service and a restore can do next. */
function listOtherSteps(state: State): State[] {
  const { store, service, database, backup, canRestore, event } = state;
  const use = (what: Event, act: (copy: State) => void): State[] =>
    event === null ? [change(state, (copy) => (act(copy), void (copy.event = what)))] : [];
  return [
    ...(store.isReleased ? [] : [change(state, ({ store: copy }) => void (copy.isReleased = true))]),
    ...(canRestore && backup === null ? [change(state, (copy) => void (copy.backup = copy.database))] : []),
    ...(backup === null
      ? []
      : [
          change(state, (copy) => {
            copy.database = { ...backup, isReconciled: false };
            copy.backup = null;
            copy.canRestore = false;
          }),
        ]),
    ...(store.isCanceled ? [] : use('cancel', (copy) => void (copy.store.isCanceled = true))),
    ...use('address', (copy) => void (copy.store.address = 2)),
    ...service.flatMap(({ status }, index) => {
      if (status !== 'live') return [];
      const set = (to: ServiceOrder['status']) => (copy: State) =>
        void ((copy.service[index] as ServiceOrder).status = to);
      return [change(state, set('shipped')), ...use('failure', set('canceled'))];
    }),
    ...database.rows.flatMap(({ status, fulfillmentOrder }, index) =>
      status === 'canceled' && store.open[fulfillmentOrder] && !store.isCanceled && database.isReconciled
        ? [change(state, ({ database: copy }) => void ((copy.rows[index] as Row).status = 'closed'))]
        : [],
    ),
    ...store.fulfillments.flatMap(({ isCanceled }, index) =>
      isCanceled
        ? []
        : use('unfulfill', ({ store: copy }) => {
            const one = copy.fulfillments[index];
            if (!one) return;
            one.isCanceled = true;
            copy.open[one.fulfillmentOrder] = true;
          }),
    ),
  ];
}

/** Returns a violated rule, or null. `isAtRest`: Platen has nothing left to do. */
function findViolation(state: State, isAtRest: boolean): string | null {
  const { store, service } = state;
  const printed = service.filter(({ status }) => status === 'live' || status === 'shipped');
  for (const one of FULFILLMENT_ORDERS)
    if (printed.filter(({ reference }) => homeOf(reference) === one).length > 1) return `${one} is printed twice`;
  // A deleted draft can never become an order, so its reference may stand for another body after the quiet time.
  const references = service.filter(({ status }) => status !== 'deleted').map(({ reference }) => reference);
  if (new Set(references).size < references.length) return 'a reference is used twice';
  const rows = state.database.rows.map(({ reference }) => reference);
  if (new Set(rows).size < rows.length) return 'two print orders have one reference';
  const codes = store.fulfillments.map(({ code }) => code);
  if (new Set(codes).size < codes.length) return 'a second mail is sent';
  for (const { code, fulfillmentOrder } of store.fulfillments)
    if (homeOf(code) !== fulfillmentOrder) return `${fulfillmentOrder} is fulfilled with the code of ${code}`;
  if (!isAtRest || listHolds(state).length > 0) return null;
  if (service.some(({ status }) => status === 'draft')) return 'a draft is left';
  if (store.isCanceled) return printed.some(({ status }) => status === 'live') ? 'a canceled order is printed' : null;
  for (const one of FULFILLMENT_ORDERS) {
    const own = printed.find(({ reference }) => homeOf(reference) === one);
    if (!own && store.open[one] && (one === 'A' || store.isReleased)) return `${one} is never printed`;
    if (own?.status === 'live' && own.address !== store.address) return `${one} goes to the old address in silence`;
    if (own?.status === 'shipped' && store.open[one]) return `${one} has shipped, and the store does not show it`;
  }
  return null;
}

/** Visits every state. Returns the first violation with the number of states, or null with it. */
export function explore(leftOut: LeftOut): { states: number; violation: string | null } {
  const seen = new Set([JSON.stringify(START)]);
  let border: State[] = [START];
  while (border.length > 0) {
    const next: State[] = [];
    for (const state of border) {
      const own = listOwnSteps(state, leftOut);
      const violation = findViolation(state, own.length === 0);
      if (violation !== null) return { states: seen.size, violation: `${violation}: ${JSON.stringify(state)}` };
      for (const one of [...own, ...listOtherSteps(state)]) {
        const key = JSON.stringify(one);
        if (seen.has(key)) continue;
        seen.add(key);
        next.push(one);
      }
    }
    border = next;
  }
  return { states: seen.size, violation: null };
}
