import { parseArgs } from 'node:util';
import { z } from 'zod';

const schema = z.strictObject({
  seeds: z.coerce.number().int().min(1).max(1_000_000).default(200),
  orders: z.coerce.number().int().min(1).max(1_000).default(20),
  from: z.coerce.number().int().min(0).max(4_294_967_295).default(1),
  events: z.coerce.number().int().min(0).optional(),
  runs: z.coerce.number().int().min(1).max(100).default(1),
  trace: z.string().optional(),
  json: z.boolean().default(false),
  'until-failure': z.boolean().default(false),
});

const SWITCHES: readonly string[] = ['json', 'until-failure'];

export const USAGE = `npm run simulate -- [options]: simulated days, judged by the books of both stand-ins (docs/developers/simulator.md)
  --seeds N     number of seeds (200)
  --orders N    orders per seed (20)
  --from SEED   the first seed (1)
  --events N    carry out only the first N planned events of each seed (all)
  --runs N      run each seed N times, and fail if its hashes differ (1)
  --until-failure  end after the first seed that fails
  --trace FILE  write everything that happens to FILE.SEED
  --json        print JSON lines`;

/** The arguments of a run. */
export interface SimulateArguments {
  seeds: number;
  orders: number;
  from: number;
  /** The number of planned events to carry out, or null for all. */
  events: number | null;
  /** How often each seed runs. */
  runs: number;
  trace: string | null;
  json: boolean;
  untilFailure: boolean;
}

/** Parses the arguments of `npm run simulate`. Throws an Error that names the invalid argument. */
export function parseSimulateArguments(args: string[]): SimulateArguments {
  const options = Object.fromEntries(
    Object.keys(schema.shape).map((name) => [
      name,
      { type: SWITCHES.includes(name) ? ('boolean' as const) : ('string' as const) },
    ]),
  );
  const { values } = parseArgs({ args, options });
  const parsed = schema.safeParse(values);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new Error(`--${String(issue?.path[0])}: ${issue?.message}`);
  }
  const { events = null, trace = null, 'until-failure': untilFailure, ...rest } = parsed.data;
  return { ...rest, events, trace, untilFailure };
}
