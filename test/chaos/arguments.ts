import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { z } from 'zod';

const SUBMITS = ['draft', 'direct', 'both'] as const;

const schema = z.strictObject({
  orders: z.coerce.number().int().min(1).max(100_000).default(500),
  replicas: z.coerce.number().int().min(1).max(20).default(3),
  'fault-rate': z.coerce.number().min(0).max(0.9).default(0.3),
  seed: z.coerce.number().int().min(0).max(4_294_967_295).optional(),
  submit: z.enum(SUBMITS).default('both'),
  'upgrade-from': z.string().min(1).nullable().default(null),
});

/** The arguments of a chaos run. */
export interface ChaosArguments {
  orders: number;
  replicas: number;
  /** The share of requests that fail, from 0 to 0.9. */
  faultRate: number;
  seed: number;
  /** How the shops submit. With `both`, half of the shops submit by draft and half directly. */
  submit: (typeof SUBMITS)[number];
  /** Half of the replicas run the code of this git revision. `previous` stands for the last revision without the newest migration. */
  upgradeFrom: string | null;
}

/** Parses the arguments of `npm run chaos` (docs/contracts.md, "Commands"). Throws an Error that names an invalid argument. */
export function parseChaosArguments(args: string[]): ChaosArguments {
  const options = Object.fromEntries(Object.keys(schema.shape).map((name) => [name, { type: 'string' as const }]));
  const { values } = parseArgs({ args, options });
  const parsed = schema.safeParse(values);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new Error(`--${String(issue?.path[0])}: ${issue?.message}`);
  }
  const { 'fault-rate': faultRate, 'upgrade-from': upgradeFrom, seed = randomInt(1, 2 ** 31), ...rest } = parsed.data;
  return { ...rest, faultRate, upgradeFrom, seed };
}
