import { parseArgs } from 'node:util';
import { z } from 'zod';

const PARTS = ['intake', 'way', 'flat', 'polls', 'rates', 'footprint', 'replicas'] as const;
export type Part = (typeof PARTS)[number];

/** The arguments of `npm run bench`. */
export interface BenchArguments {
  parts: readonly Part[];
  /** The number of orders for each part. Null if each part uses its default. */
  orders: number | null;
  json: boolean;
  statements: boolean;
  help: boolean;
}

const schema = z.object({
  only: z.enum(PARTS).optional(),
  orders: z.coerce.number().int().min(1).max(1_000_000).optional(),
});

export const HELP = `npm run bench -- [--only ${PARTS.join('|')}] [--orders N] [--json] [--statements]

Measures Platen and, for comparison, other programs, all on this machine and in this run.

  --only PART    run one part
  --orders N     scale each part to at most N orders (or requests, or rows)
  --json         print one JSON document to standard output; progress goes to standard error
  --statements   also list an order's statements, for the part "way"
`;

/** Throws an Error that names the invalid argument. */
export function parseBenchArguments(args: string[]): BenchArguments {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: 'string' },
      orders: { type: 'string' },
      json: { type: 'boolean', default: false },
      statements: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const parsed = schema.safeParse(values);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new Error(`--${String(issue?.path[0])}: ${issue?.message}`);
  }
  const { only, orders = null } = parsed.data;
  const { json, statements, help } = values;
  return { parts: only === undefined ? PARTS : [only], orders, json, statements, help };
}
