import { startTestServer } from '../helpers/global-setup.ts';
import { parseMonkeyArguments, USAGE, type MonkeyArguments } from './arguments.ts';
import type { Finding } from './judge/judge.ts';
import { planPlay, type Play } from './plan-play.ts';
import { playOrder } from './play-order.ts';
import { playConcurrently } from './play-concurrently.ts';
import { shrinkPlay } from './shrink-play.ts';

const write = (line: string): void => void process.stdout.write(`${line}\n`);

function describePlay({ way, cart, isPaid, atMerchant }: Play): string {
  const lines = Object.entries(cart).map(([sku, quantity]) => `${quantity} ${sku}`);
  const more = [
    ...(isPaid ? [] : ['not paid yet']),
    ...(atMerchant.length > 0 ? [`${atMerchant.join(', ')} at the merchant's location`] : []),
  ];
  return `${lines.join(', ')}, sent ${[way.words, ...more].join('; ')}`;
}

/** Plays one order. If the order fails, finds the shortest sequence of steps that still fails. Returns the findings. */
async function tryOrder(args: MonkeyArguments, index: number, serverUrl: string): Promise<Finding[]> {
  const play = planPlay(args.seed, index, args);
  const run = (only: readonly number[] | null) => playOrder(play, { only, serverUrl });
  const first = await run(args.only);
  const title = `order ${index}: ${describePlay(play)}`;
  if (first.findings.length === 0) {
    write(`ok      ${title}`);
    if (args.order !== null) write(first.story.join('\n'));
    return [];
  }
  write(`FAILED  ${title}`);
  const rules = new Set(first.findings.map(({ rule }) => rule));
  let last = first;
  let kept = args.only ?? play.steps.map((_, nth) => nth + 1);
  if (args.order === null) {
    kept = await shrinkPlay(kept, args.tries, async (only) => {
      const outcome = await run(only);
      const fails = outcome.findings.some(({ rule }) => rules.has(rule));
      if (fails) last = outcome;
      return fails;
    });
  }
  write(last.story.join('\n'));
  for (const { rule, evidence } of last.findings) write(`    ${rule}: ${evidence}`);
  write(`    again: ${toCommand(args, index)} --only ${kept.join(',')}`);
  return last.findings;
}

/** Plays several orders simultaneously on one Platen. Returns the findings. */
async function tryConcurrently(args: MonkeyArguments, first: number, serverUrl: string): Promise<Finding[]> {
  const count = args.order === null ? Math.min(args.together, args.orders - first) : args.together;
  const plays = Array.from({ length: count }, (_, nth) => planPlay(args.seed, first + nth, args));
  const { findings, story } = await playConcurrently(plays, { seed: args.seed + first, serverUrl });
  const title = `orders ${first} to ${first + count - 1} together, sent ${plays[0]?.way.words}`;
  write(`${findings.length === 0 ? 'ok    ' : 'FAILED'}  ${title}`);
  if (findings.length > 0) write(story.join('\n'));
  for (const { rule, evidence } of findings) write(`    ${rule}: ${evidence}`);
  if (findings.length > 0) write(`    again: ${toCommand(args, first)} --together ${count}`);
  return findings;
}

function toCommand({ seed, steps, ways: [way, ...others] }: MonkeyArguments, order: number): string {
  const ofWay = others.length === 0 ? ` --way ${way}` : '';
  return `npm run monkey -- --seed ${seed} --steps ${steps}${ofWay} --order ${order}`;
}

/** Returns whether there were no findings. */
async function main(args: MonkeyArguments): Promise<boolean> {
  write(`seed ${args.seed}`);
  const server = await startTestServer();
  const found: Record<string, number> = {};
  let failed = 0;
  try {
    const [first, end] = args.order === null ? [0, args.orders] : [args.order, args.order + 1];
    for (let index = first; index < end; index += args.together) {
      const findings = await (args.together > 1 ? tryConcurrently : tryOrder)(args, index, server.url);
      failed += Number(findings.length > 0);
      for (const { rule } of findings) found[rule] = (found[rule] ?? 0) + 1;
    }
  } finally {
    await server.stop();
  }
  write(
    JSON.stringify({ ok: failed === 0, seed: args.seed, orders: args.order === null ? args.orders : 1, failed, found }),
  );
  return failed === 0;
}

function readArguments(): MonkeyArguments | null {
  try {
    return parseMonkeyArguments(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return null;
  }
}

if (process.argv.includes('--help')) write(USAGE);
else {
  const args = readArguments();
  process.exitCode = args === null ? 2 : (await main(args)) ? 0 : 1;
}
