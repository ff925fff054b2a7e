import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { WAYS, type WayName } from './plan-play.ts';

const WAY_NAMES = Object.keys(WAYS) as [WayName, ...WayName[]];
const numbers = z
  .string()
  .regex(/^\d+(,\d+)*$/, 'must be numbers separated by commas')
  .transform((text) => text.split(',').map(Number));

const schema = z.strictObject({
  seed: z.coerce.number().int().min(0).max(4_294_967_295).optional(),
  orders: z.coerce.number().int().min(1).max(100_000).default(30),
  steps: z.coerce.number().int().min(0).max(100).default(12),
  way: z.enum(WAY_NAMES).optional(),
  order: z.coerce.number().int().min(0).optional(),
  only: numbers.optional(),
  tries: z.coerce.number().int().min(0).max(1_000).default(30),
  together: z.coerce.number().int().min(1).max(50).default(1),
});

export const USAGE = `npm run monkey -- [options]: random orders, judged by the books of both stand-ins (docs/developers/chaos.md)
  --seed N      decides all choices (random; the run prints it)
  --orders N    number of orders (30)
  --steps N     steps per order (12)
  --way NAME    one submit mode: ${WAY_NAMES.join(', ')} (all)
  --together N  play N orders at once in one shop, so that their steps overlap (1)
  --tries N     replays of a failed order to find the fewest steps that fail (30)
  --order I     play only this order; with --together, the first one (all)
  --only N,N    play only these steps of the order (all)`;

/** The arguments of a run. */
export interface MonkeyArguments {
  seed: number;
  orders: number;
  steps: number;
  ways: readonly WayName[];
  /** The number of the order to play, or null for all orders. */
  order: number | null;
  /** The numbers of the steps to play, counted from 1, or null for all steps. */
  only: readonly number[] | null;
  /** The maximum number of times that a failed order is replayed to find the shortest sequence of steps that still fails. */
  tries: number;
  /**
   * The number of orders that are played simultaneously, with overlapping steps. With 1, orders are played one at a time, and each step
   * waits for all effects of the previous step.
   */
  together: number;
}

/** Parses the arguments of `npm run monkey` (docs/contracts.md, "Commands"). Throws an Error that names the invalid argument. */
export function parseMonkeyArguments(args: string[]): MonkeyArguments {
  const options = Object.fromEntries(Object.keys(schema.shape).map((name) => [name, { type: 'string' as const }]));
  const { values } = parseArgs({ args, options });
  const parsed = schema.safeParse(values);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new Error(`--${String(issue?.path[0])}: ${issue?.message}`);
  }
  const { seed = randomInt(1, 2 ** 31), way, order = null, only = null, ...rest } = parsed.data;
  if (rest.together > 1 && only !== null)
    throw new Error(
      '--only: cannot be combined with --together, because steps of overlapping orders cannot be skipped',
    );
  return { ...rest, seed, ways: way ? [way] : WAY_NAMES, order, only };
}
