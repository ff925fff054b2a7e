import type { PrintOrderState } from '../../database/entities/print-orders.ts';

/** Groups of print order states, for use in conditions and SQL queries. */
const GROUPS = {
  /** Nothing has been sent. */
  unsent: ['planned', 'quoted'],
  /** An attempt is open, or its outcome is unknown. */
  sending: ['submitting', 'uncertain'],
  /** The service may not have the order, or the order is waiting for someone. */
  unordered: ['planned', 'quoted', 'submitting', 'uncertain', 'held'],
  /** The service has the order, and Platen follows its progress. */
  followed: ['submitted', 'in_production', 'shipped', 'shipped_no_tracking'],
  /** The service may have the order, and a poll reads it. */
  polled: ['submitted', 'in_production', 'shipped', 'shipped_no_tracking', 'held'],
  /** The parcels have left, but the store does not show all of them yet. */
  shipped: ['shipped', 'shipped_no_tracking'],
  /** The parcels have left. */
  left: ['shipped', 'shipped_no_tracking', 'fulfilled'],
  ended: ['fulfilled', 'canceled', 'failed'],
} as const satisfies Record<string, readonly PrintOrderState[]>;

type StateGroup = keyof typeof GROUPS;

/** Returns a state in words. */
export function describeState(state: PrintOrderState): string {
  return state === 'shipped_no_tracking' ? 'shipped without tracking' : state.replaceAll('_', ' ');
}

/** Returns whether a state is in one of these groups. */
export function isStateIn(state: PrintOrderState, ...groups: StateGroup[]): boolean {
  return groups.some((group) => (GROUPS[group] as readonly PrintOrderState[]).includes(state));
}

/** Returns SQL for whether a state is in a group. The SQL lists the states literally so that PostgreSQL uses the partial indexes. */
export function stateInSql(group: StateGroup, column = 'p.state'): string {
  return `${column} in (${GROUPS[group].map((state) => `'${state}'`).join(', ')})`;
}

/**
 * The states that may follow each state of a print order. Only `changeState` writes states, and it refuses other transitions. Once the
 * service has the order, its progress never reverses. An order that is in progress or fulfilled can still be held, fail or be canceled. A
 * canceled or failed order resumes only if it turns out to exist.
 */
const ALLOWED: Record<PrintOrderState, readonly PrintOrderState[]> = {
  planned: ['quoted', 'submitted', 'held', 'canceled', 'failed'],
  quoted: ['planned', 'submitting', 'submitted', 'held', 'uncertain', 'canceled', 'failed'],
  submitting: ['quoted', 'submitted', 'in_production', 'shipped', 'held', 'uncertain', 'canceled', 'failed'],
  uncertain: ['quoted', 'submitting', 'submitted', 'in_production', 'shipped', 'held', 'canceled', 'failed'],
  submitted: ['in_production', 'shipped', 'fulfilled', 'shipped_no_tracking', 'held', 'canceled', 'failed'],
  in_production: ['shipped', 'fulfilled', 'shipped_no_tracking', 'held', 'canceled', 'failed'],
  shipped: ['fulfilled', 'shipped_no_tracking', 'held', 'canceled', 'failed'],
  shipped_no_tracking: ['shipped', 'fulfilled', 'held', 'canceled', 'failed'],
  fulfilled: ['held', 'canceled', 'failed'],
  held: [
    'planned',
    'quoted',
    'submitting',
    'uncertain',
    'submitted',
    'in_production',
    'shipped',
    'shipped_no_tracking',
    'fulfilled',
    'canceled',
    'failed',
  ],
  // If the service turns out to have an order that Platen considered canceled or failed, Platen follows the order again.
  canceled: ['submitted', 'in_production', 'shipped', 'failed'],
  failed: ['submitted', 'in_production', 'shipped', 'canceled'],
};

/** Returns whether a print order may change from one state to another (docs/rules/states.md#transitions). */
export function isAllowedTransition(from: PrintOrderState, to: PrintOrderState): boolean {
  return ALLOWED[from].includes(to);
}

/**
 * Returns the state for a service status, including statuses from public documentation (docs/rules/states.md#service-statuses), or null
 * if the status changes nothing (`draft` or an unknown status).
 */
export function toPrintOrderState(fulfillmentStatus: string): PrintOrderState | null {
  return SERVICE_STATES.get(fulfillmentStatus) ?? null;
}

const SERVICE_STATES = new Map<string, PrintOrderState>([
  ['created', 'submitted'],
  ['uploading', 'submitted'],
  ['passed', 'in_production'],
  ['in_production', 'in_production'],
  ['digitizing', 'in_production'],
  ['printed', 'in_production'],
  ['shipped', 'shipped'],
  ['in_transit', 'shipped'],
  ['delivered', 'shipped'],
  ['canceled', 'canceled'],
  ['failed', 'failed'],
  ['on_hold', 'held'],
  ['pending_approval', 'held'],
  ['pending_personalization', 'held'],
  ['not_connected', 'held'],
  // A returned order was shipped. A separate hold reports the return.
  ['returned', 'shipped'],
]);
