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
  --seed N      makes all choices; by default one of its own, which the run prints
  --orders N    how many orders (30)
  --steps N     how many steps each (12)
  --way NAME    one way of submitting: ${WAY_NAMES.join(', ')} (all)
  --together N  plays so many orders at once in one shop, whose steps overlap (1)
  --tries N     how often a failed order is played again to find its fewest steps (30)
  --order I     the one order that is played; with --together the first of them (all)
  --only N,N    the steps of it that are played (all)`;

/** What a run is asked for. */
export interface MonkeyArguments {
  seed: number;
  orders: number;
  steps: number;
  ways: readonly WayName[];
  /** The one order that is played, by its number; null: all. */
  order: number | null;
  /** The steps of it that are played, from 1; null: all. */
  only: readonly number[] | null;
  /** How often an order that failed is played again at most, to find the fewest steps of it that fail. */
  tries: number;
  /** How many orders are played at once, so that their steps overlap; 1: each alone, and each step after all that follows from the last. */
  together: number;
}

/** The arguments of `npm run monkey` (docs/contracts.md, "Commands"). Throws an Error that names the one that makes no sense. */
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
    throw new Error('--only: the steps of orders that overlap cannot be left out');
  return { ...rest, seed, ways: way ? [way] : WAY_NAMES, order, only };
}
