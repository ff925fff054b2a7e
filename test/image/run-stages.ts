import { execFile } from 'node:child_process';
import { cp, mkdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, posix } from 'node:path';
import { promisify } from 'node:util';
import type { Instruction, Stage } from './read-dockerfile.ts';

const run = promisify(execFile);
const MAX_RUN_MS = 300_000;

export interface Built {
  /** The folder that represents the last stage's file system. */
  folder: string;
  workdir: string;
  /** The stage's own instructions, after those of its base. */
  instructions: Instruction[];
}

interface BuildContext {
  root: string;
  isExcluded: (path: string) => boolean;
  into: string;
}

/**
 * Runs the stages of a Dockerfile, each in a separate folder instead of a file system. Supports COPY from the build context or an earlier
 * stage, `RUN npm …`, `RUN find … -delete`, `RUN rm -rf …`, `RUN install -d …`, `RUN chmod …` and `RUN ln -s …`. Throws for a COPY whose
 * source is missing or excluded from the context, and for any other RUN.
 */
export async function runStages(stages: readonly Stage[], context: BuildContext): Promise<Built> {
  const built = new Map<string, Built>();
  let last: Built | undefined;
  for (const [index, { name, base, instructions }] of stages.entries()) {
    const parent = built.get(base);
    const stage: Built = {
      folder: join(context.into, String(index)),
      workdir: parent?.workdir ?? '/',
      instructions: [...(parent?.instructions ?? []), ...instructions],
    };
    await mkdir(stage.folder);
    if (parent) await cp(parent.folder, stage.folder, { recursive: true });
    for (const instruction of instructions) await runInstruction(instruction, stage, built, context);
    if (name !== null) built.set(name, stage);
    last = stage;
  }
  if (!last) throw new Error('The Dockerfile has no stage.');
  return last;
}

async function runInstruction(
  instruction: Instruction,
  stage: Built,
  built: ReadonlyMap<string, Built>,
  context: BuildContext,
): Promise<void> {
  if (instruction.name === 'WORKDIR') {
    stage.workdir = posix.resolve(stage.workdir, instruction.text);
    await mkdir(join(stage.folder, stage.workdir), { recursive: true });
  } else if (instruction.name === 'COPY') await copy(instruction, stage, built, context);
  else if (instruction.name === 'RUN') await runCommand(instruction.text, stage);
}

async function copy(
  { flags, text }: Instruction,
  stage: Built,
  built: ReadonlyMap<string, Built>,
  { root, isExcluded }: BuildContext,
): Promise<void> {
  const sources = text.split(/\s+/);
  const target = sources.pop() ?? '';
  const from = flags['from'] === undefined ? null : built.get(flags['from']);
  if (from === undefined) throw new Error(`COPY ${text}: there is no stage ${flags['from']}.`);
  const destination = join(stage.folder, posix.resolve(stage.workdir, target));
  for (const source of sources) {
    const path = join(from?.folder ?? root, source);
    const entry = await stat(path).catch(() => null);
    if (!entry || (!from && isExcluded(source)))
      throw new Error(`COPY ${text}: ${source} is not in the build context.`);
    const into = target.endsWith('/') ? join(destination, basename(source)) : destination;
    const toContextPath = (file: string) => posix.normalize(file.slice(root.length)).replace(/^\//, '');
    const filter = (file: string) => from !== null || !isExcluded(toContextPath(file));
    await cp(path, into, { recursive: true, verbatimSymlinks: true, filter });
  }
}

async function runCommand(command: string, { folder, workdir }: Built): Promise<void> {
  const [program = '', ...args] = command.split(/\s+/);
  const place = (part: string): string => (part.startsWith('/') ? join(folder, part) : part);
  if (program === 'npm') {
    await run(program, args, { cwd: join(folder, workdir), timeout: MAX_RUN_MS, maxBuffer: 2 ** 24 });
  } else if (program === 'find' && args.at(-1) === '-delete' && !args[0]?.startsWith('/')) {
    await run('sh', ['-c', command], { cwd: join(folder, workdir) });
  } else if (program === 'rm' && args[0] === '-rf') {
    await Promise.all(args.slice(1).map((path) => rm(place(path), { recursive: true, force: true })));
  } else if (program === 'install' && args[0] === '-d') {
    // Only root may change the owner of a folder, so -o and -g are omitted for other users.
    const kept =
      process.getuid?.() === 0
        ? args
        : args.filter((arg, at) => !/^-[og]$/.test(arg) && !/^-[og]$/.test(args[at - 1] ?? ''));
    await run(program, kept.map(place));
  } else if (program === 'chmod' || (program === 'ln' && args[0] === '-s')) {
    const parts = args.map(place);
    const target = parts.at(-1) ?? '';
    await mkdir(dirname(target), { recursive: true });
    await run(program, parts);
  } else throw new Error(`RUN ${command}: only npm, find, rm -rf, install -d, chmod and ln -s are supported.`);
}
