/** The normal sequence of an order's statuses. */
const CHAIN = ['created', 'passed', 'printed', 'shipped', 'in_transit', 'delivered'] as const;
const WAITING = ['uploading', 'on_hold', 'pending_approval', 'not_connected', 'pending_personalization', 'digitizing'];
const ENDS = ['failed', 'canceled'];

/** The statuses that an order can reach from each status in one step. */
const MOVES: Readonly<Record<string, readonly string[]>> = {
  draft: ['created'],
  created: ['passed', 'in_production', ...WAITING, ...ENDS],
  ...Object.fromEntries(WAITING.map((status) => [status, ['created', 'passed', ...WAITING, ...ENDS]])),
  passed: ['printed', 'in_production', 'on_hold', ...ENDS],
  in_production: ['printed', ...ENDS],
  printed: ['shipped', 'failed'],
  shipped: ['in_transit', 'delivered', 'returned'],
  in_transit: ['delivered', 'returned'],
  delivered: ['returned'],
  failed: ['canceled'],
  canceled: [],
  returned: [],
};

/** The steps that an order takes automatically. From any other status, an order moves only through the control endpoint. */
const AUTOMATIC: Readonly<Record<string, string>> = {
  created: 'passed',
  uploading: 'passed',
  passed: 'printed',
  in_production: 'printed',
  printed: 'shipped',
};

/** Returns the status that follows automatically, if any. */
export function nextStatus(from: string): string | undefined {
  return AUTOMATIC[from];
}

/**
 * Returns the statuses that an order passes through from one status to another, including the last, or null if the move is illegal. One
 * move may include several of the steps created, passed, printed, shipped, in_transit and delivered.
 */
export function stepsBetween(from: string, to: string): readonly string[] | null {
  if (MOVES[from]?.includes(to)) return [to];
  const start = indexInChain(toChain(from));
  const end = indexInChain(to);
  return start >= 0 && end > start ? CHAIN.slice(start + 1, end + 1) : null;
}

/**
 * Returns whether an item moves when its order moves. Items that are waiting or have already ended do not move. If the order ends, every
 * unfinished item ends too.
 */
export function movesWithOrder(item: string, order: string, to: string): boolean {
  return item === order || (ENDS.includes(to) && MOVES[item]?.includes(to) === true);
}

/**
 * Returns an order's status after some of its items have moved. If all items that have not ended share a status, the order has that status.
 * Otherwise, the order has the status of the item that has progressed least. A waiting item counts as `created`. The order never moves back
 * to a status before `current`.
 */
export function combineStatuses(current: string, items: readonly string[]): string {
  const going = items.filter((status) => !ENDS.includes(status));
  if (going.length === 0) return items.includes('failed') ? 'failed' : 'canceled';
  const [first = current] = going;
  if (going.every((status) => status === first) && indexInChain(first) < 0) return first;
  const steps = going.map((status) => Math.max(0, indexInChain(toChain(status))));
  const slowest = Math.max(Math.min(...steps), indexInChain(toChain(current)));
  return going.every((status) => status === first) && slowest <= indexInChain(first)
    ? first
    : (CHAIN[slowest] ?? current);
}

function toChain(status: string): string {
  if (status === 'in_production') return 'passed';
  if (status === 'returned') return 'delivered';
  return WAITING.includes(status) ? 'created' : status;
}

function indexInChain(status: string): number {
  return CHAIN.findIndex((step) => step === status);
}
