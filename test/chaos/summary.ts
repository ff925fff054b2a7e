import type { ChaosArguments } from './arguments.ts';
import type { Findings } from './books/check-books.ts';
import type { Disturbances } from './disturb.ts';

/** The summary in the last line of a run's output. docs/contracts.md explains its keys ("Commands"). */
export interface Summary {
  ok: boolean;
  seed: number;
  orders: number;
  printed: number;
  held: number;
  duplicates: number;
  lost: number;
  wrongLines: number;
  wrongTracking: number;
  doubledFulfillments: number;
  doubleNotifications: number;
  moving: number;
  spareDrafts: number;
  heldByRestore: number;
  faults: Record<string, number>;
  kills: number;
  freezes: number;
  databaseRestarts: number;
  restores: number;
}

/** The allowed share of unplanned holds among orders in direct mode, where an outcome may remain unknown permanently. */
const MAX_HELD_SHARE = 0.05;

interface Outcome {
  findings: Findings;
  moving: number;
  /** The number of times that a replica ended without being killed. */
  crashes: number;
  /** The number of faults injected by the stand-ins, by kind. */
  faults: Record<string, number>;
  disturbances: Disturbances;
}

/**
 * Summarizes a run in one object. `ok` is true if all error counts are zero, no more orders are held than allowed, and disturbances and
 * faults have occurred. A run in which nothing failed proves nothing.
 */
export function toSummary(args: ChaosArguments, { findings, moving, crashes, faults, disturbances }: Outcome): Summary {
  const { duplicates, lost, wrongLines, wrongTracking, doubledFulfillments, doubleNotifications } = findings;
  const { printed, held, spareDrafts, heldByRestore } = findings;
  const { kills, freezes, databaseRestarts, restores } = disturbances;
  const zeros = [duplicates, lost, wrongLines, wrongTracking, doubledFulfillments, doubleNotifications, spareDrafts];
  const isZero = [...zeros, moving, crashes, findings.heldOnDraftWay].every((count) => count === 0);
  const wasDisturbed = kills > 0 && (args.faultRate === 0 || Object.values(faults).some((count) => count > 0));
  return {
    ok: isZero && held <= maxHeldOrders(args) && wasDisturbed,
    seed: args.seed,
    orders: args.orders,
    printed,
    held,
    duplicates,
    lost,
    wrongLines,
    wrongTracking,
    doubledFulfillments,
    doubleNotifications,
    moving,
    spareDrafts,
    heldByRestore,
    faults,
    kills,
    freezes,
    databaseRestarts,
    restores,
  };
}

/** Returns how many orders may be held. With `both`, half of the shops submit directly. */
function maxHeldOrders({ orders, submit }: ChaosArguments): number {
  const direct = { draft: 0, direct: orders, both: orders / 2 }[submit];
  return Math.floor(direct * MAX_HELD_SHARE);
}
