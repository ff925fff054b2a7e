import type { Context, Middleware } from 'koa';
import { z } from 'zod';
import type { Books } from './books.ts';
import { injectFault } from './inject-fault.ts';
import { createDice } from './dice.ts';
import { parseOrRefuse } from './refusal.ts';
import { type Fault, faultSchema } from './fault.ts';
import type { Clock } from '../src/clock.ts';

const searchLagSchema = z.strictObject({ searchLagMs: z.int().min(0) });

const seedSchema = z.strictObject({ seed: z.int().min(0) });

const faultListSchema = z.array(z.union([searchLagSchema, seedSchema, faultSchema])).max(1000);

interface FaultState {
  faults: z.output<typeof faultListSchema>;
  /** The number of injected faults of each kind since the last reset. Dropped and duplicated deliveries are separate kinds. */
  injected: Record<string, number>;
}

interface FaultOptions {
  /** Returns the GraphQL operation of a request, for rules that name an operation. */
  operation?: (ctx: Context) => string | undefined;
  /** Returns the body of an injected error status, in the format of the service. */
  errorBody: (status: number, path: string) => unknown;
}

/** The faults that a stand-in injects, stored in its books. */
export interface Faults {
  state(): FaultState;
  /** Replaces the list of faults. Throws a `Refusal` if the list is invalid. */
  set(input: unknown): void;
  /** Returns the search lag: the number of milliseconds until a new record appears in searches. */
  searchLagMs(): number;
  /** Returns a number from 0 to 1, either random or from the sequence of the list's seed. */
  roll(): number;
  /** Counts a fault that another part of the stand-in has injected. */
  count(kind: string): void;
  /**
   * Creates the middleware that injects faults. It must run after `readBody` and before the handlers and their error handling. Skips
   * `/_control`.
   */
  middleware(options: FaultOptions): Middleware;
  /** Clears the list, the counts and the pending late effects. */
  clear(): void;
  /** Runs the pending late effects now, in the order of their requests. Resolves with the number of effects. */
  runLate(): Promise<number>;
  /** Drops the pending late effects. */
  stop(): void;
}

/**
 * Injects faults by rule. `effect` (none, done or late) determines what happens to the request, and `kind` what happens to its response.
 */
export function createFaults(clock: Clock, books: Books): Faults {
  const late = new Map<() => void, () => Promise<void>>();
  const dice = createDice();
  dice.seed(seedOf(state()));

  function state(): FaultState {
    return books.get<FaultState>('faults', 'state') ?? { faults: [], injected: {} };
  }

  /** Picks the first matching rule that the random number triggers, and counts the fault. */
  function drawFault(ctx: Context, operation: string | undefined): Fault | undefined {
    const { faults } = state();
    const drawn = faults.find((rule) => 'kind' in rule && matchesRule(rule, ctx, operation) && dice.roll() < rule.rate);
    if (!drawn || !('kind' in drawn)) return undefined;
    countFault(
      drawn.kind,
      faults.map((rule) => (rule === drawn && drawn.times ? { ...drawn, times: drawn.times - 1 } : rule)),
    );
    return drawn;
  }

  function countFault(kind: string, faults = state().faults): void {
    const { injected } = state();
    books.put('faults', 'state', { faults, injected: { ...injected, [kind]: (injected[kind] ?? 0) + 1 } });
  }

  function runLater(ctx: Context, next: () => Promise<unknown>, lateMs: number): void {
    const runNow = async (): Promise<void> => {
      cancel();
      late.delete(cancel);
      await next().catch((error: unknown) => ctx.app.emit('error', error, ctx));
    };
    const cancel = clock.after(lateMs, () => void runNow());
    late.set(cancel, runNow);
  }

  async function runLate(): Promise<number> {
    const effects = [...late.values()];
    for (const take of effects) await take();
    return effects.length;
  }

  function stop(): void {
    for (const cancel of late.keys()) cancel();
    late.clear();
  }

  return {
    state,
    runLate,
    stop,
    roll: () => dice.roll(),
    count: (kind) => countFault(kind),
    set(input) {
      books.put('faults', 'state', { faults: parseOrRefuse(faultListSchema, input), injected: state().injected });
      dice.seed(seedOf(state()));
    },
    searchLagMs: () => state().faults.reduce((lag, rule) => ('searchLagMs' in rule ? rule.searchLagMs : lag), 0),
    middleware({ operation, errorBody }) {
      return async (ctx, next) => {
        const fault = ctx.path.startsWith('/_control') ? undefined : drawFault(ctx, operation?.(ctx));
        if (!fault) return next();
        if (fault.effect === 'done') await next();
        if (fault.effect === 'late') runLater(ctx, next, fault.lateMs);
        await injectFault(ctx, fault, errorBody(fault.status, ctx.path));
      };
    },
    clear() {
      stop();
      books.delete('faults', 'state');
      dice.seed(undefined);
    },
  };
}

function seedOf({ faults }: FaultState): number | undefined {
  return faults.find((rule) => 'seed' in rule)?.seed;
}

function matchesRule(rule: Fault, ctx: Context, operation: string | undefined): boolean {
  return (
    rule.times !== 0 &&
    (rule.method === undefined || rule.method.toUpperCase() === ctx.method) &&
    (rule.path === undefined || ctx.path.startsWith(rule.path)) &&
    (rule.operation === undefined || rule.operation === operation)
  );
}
