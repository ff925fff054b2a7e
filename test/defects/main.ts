import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { copyTree, type Tree } from './copy-tree.ts';
import { defects, type Defect } from './defects.ts';
import { describeNet, runNet, type Net, type Outcome } from './nets.ts';

/** Turns off one safeguard at a time in a copy of the working tree, and checks whether the safeguard's nets detect its absence. */

/** A line of the table that is printed at the end. */
interface Row {
  cells: readonly string[];
  isCaught: boolean;
}

function say(line: string): void {
  process.stderr.write(`${new Date().toISOString().slice(11, 19)}  ${line}\n`);
}

/** Returns the named defects, or all defects if the list is empty. Returns null if a name is unknown. */
function chooseDefects(names: readonly string[]): readonly Defect[] | null {
  const unknown = names.filter((name) => defects.every((defect) => defect.name !== name));
  for (const name of unknown) process.stderr.write(`Unknown defect ${name}. --list shows all defects.\n`);
  if (unknown.length > 0) return null;
  return names.length === 0 ? defects : defects.filter(({ name }) => names.includes(name));
}

/** Runs each test on the unchanged tree. A net that fails on the unchanged tree proves nothing. */
async function tryNets(tree: Tree, chosen: readonly Defect[], signal: AbortSignal): Promise<Map<string, Outcome>> {
  const nets = new Map<string, Net>();
  for (const { net } of chosen.flatMap((defect) => defect.nets))
    if (net.kind === 'test') nets.set(describeNet(net), net);
  const outcomes = new Map<string, Outcome>();
  for (const [name, net] of nets) {
    const outcome = await runNet(tree, net, signal);
    say(`without a defect, ${name}: ${outcome.is} ${outcome.said} (${outcome.seconds} s)`);
    outcomes.set(name, outcome);
  }
  return outcomes;
}

async function tryDefect(
  tree: Tree,
  { name, off, edits, nets }: Defect,
  before: Map<string, Outcome>,
  signal: AbortSignal,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { net, says } of nets) {
    const netName = describeNet(net);
    const cells = [`${name}: ${off}`, netName];
    if (net.kind === 'test' && before.get(netName)?.is !== 'clean') {
      rows.push({ cells: [...cells, 'not tried: the net fails without the defect', ''], isCaught: false });
      continue;
    }
    const putBack = await tree.edit(edits);
    const { is, said, seconds, seed } = await runNet(tree, net, signal);
    await putBack();
    // A seed that breaks the same rule without the defect proves nothing.
    const without =
      net.kind === 'simulate' && seed !== undefined
        ? await runNet(tree, { ...net, from: seed, seeds: 1 }, signal)
        : null;
    const isCaught = is === 'fails' && says.test(said) && !(without !== null && says.test(without.said));
    say(`${name}, ${netName}: ${isCaught ? 'caught' : 'NOT CAUGHT'}, ${is} ${said} (${seconds} s)`);
    rows.push({ cells: [...cells, isCaught ? said : `NOT CAUGHT (${is}) ${said}`, String(seconds)], isCaught });
  }
  return rows;
}

function toTable(rows: readonly Row[]): string {
  const toLine = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
  const head = [toLine(['defect', 'net', 'message', 'seconds']), '|---|---|---|---|'];
  return `${[...head, ...rows.map(({ cells }) => toLine(cells))].join('\n')}\n`;
}

/** Returns whether every defect was caught. */
async function main(chosen: readonly Defect[], signal: AbortSignal): Promise<boolean> {
  const tree = await copyTree();
  const rows: Row[] = [];
  try {
    say(`the copy is in ${tree.folder}`);
    const before = await tryNets(tree, chosen, signal);
    for (const defect of chosen) rows.push(...(await tryDefect(tree, defect, before, signal)));
  } catch (error) {
    if (!signal.aborted) throw error;
    say('interrupted');
  } finally {
    await tree.remove();
  }
  process.stdout.write(toTable(rows));
  return !signal.aborted && rows.every(({ isCaught }) => isCaught);
}

const { values, positionals } = parseArgs({ allowPositionals: true, options: { list: { type: 'boolean' } } });
const chosen = chooseDefects(positionals);
if (values.list === true) process.stdout.write(defects.map(({ name, off }) => `${name}: ${off}\n`).join(''));
else if (chosen === null) process.exitCode = 2;
else {
  const interrupting = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) void once(process, name).then(() => interrupting.abort());
  process.exitCode = (await main(chosen, interrupting.signal)) ? 0 : 1;
}
