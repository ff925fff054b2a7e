/** An instruction of a Dockerfile: `COPY --from=base a b` is COPY with the flag `from` and the text `a b`. */
export interface Instruction {
  name: string;
  flags: Record<string, string>;
  text: string;
}

/** A FROM instruction and the instructions that follow it. */
export interface Stage {
  name: string | null;
  base: string;
  instructions: Instruction[];
}

/** Reads the stages of a Dockerfile without ARG, heredoc or ONBUILD. Throws if the file does not start with FROM. */
export function readDockerfile(text: string): Stage[] {
  const stages: Stage[] = [];
  for (const line of toLines(text)) {
    const instruction = toInstruction(line);
    if (instruction.name === 'FROM') {
      const [base = '', , name = null] = instruction.text.split(/\s+/);
      stages.push({ base, name, instructions: [] });
      continue;
    }
    const stage = stages.at(-1);
    if (!stage) throw new Error(`${instruction.name} comes before the first FROM.`);
    stage.instructions.push(instruction);
  }
  return stages;
}

/** Returns the parts of an exec form, `["node", "main.ts"]`. Throws for a shell form, because signals would not reach the program. */
export function readExecForm(text: string): string[] {
  const parts: unknown = JSON.parse(text);
  if (!Array.isArray(parts) || !parts.every((part) => typeof part === 'string'))
    throw new Error(`${text} is not in exec form.`);
  return parts;
}

/** Returns the `KEY=value` pairs of ENV and LABEL. A value may be in double quotes. */
export function readPairs(instructions: readonly Instruction[], name: 'ENV' | 'LABEL'): Record<string, string> {
  const texts = instructions.filter((one) => one.name === name).map(({ text }) => text);
  const pairs = texts.flatMap((text) => [...text.matchAll(/([\w.]+)=(?:"([^"]*)"|(\S*))/g)]);
  return Object.fromEntries(pairs.map(([, key = '', quoted, plain = '']) => [key, quoted ?? plain]));
}

/** Returns the lines without comments and empty lines, with continued lines joined. */
function toLines(text: string): string[] {
  const lines = text.split('\n').filter((line) => !/^\s*(#|$)/.test(line));
  return lines
    .join('\n')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n');
}

function toInstruction(line: string): Instruction {
  const [, name = '', rest = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? [];
  const flags: Record<string, string> = {};
  let text = rest;
  for (let flag = /^--([\w-]+)=(\S+)\s+/.exec(text); flag; flag = /^--([\w-]+)=(\S+)\s+/.exec(text)) {
    flags[flag[1] ?? ''] = flag[2] ?? '';
    text = text.slice(flag[0].length);
  }
  return { name: name.toUpperCase(), flags, text };
}
