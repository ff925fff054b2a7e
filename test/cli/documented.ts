import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

const ROOT = new URL('../../', import.meta.url);

/** Returns the texts of all documentation pages, by path. */
export function readDocuments(): Map<string, string> {
  const docs = readdirSync(new URL('docs/', ROOT), { encoding: 'utf8', recursive: true }).filter((file) =>
    file.endsWith('.md'),
  );
  const paths = ['README.md', 'CONTRIBUTING.md', ...docs.map((file) => `docs/${file}`)];
  return new Map(paths.map((path) => [path, readFileSync(new URL(path, ROOT), 'utf8')]));
}

/** Returns the fenced code blocks in a language. */
export function blocksOf(text: string, language: string): string[] {
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(([, block = '']) => block);
}

/** Returns every `npx platen …` line of the shell blocks, deduplicated and without comments. */
export function readPlatenLines(): string[] {
  const blocks = [...readDocuments().values()].flatMap((text) => blocksOf(text, 'sh'));
  const lines = blocks.flatMap((block) => block.replaceAll('\\\n', ' ').split('\n'));
  const examples = lines.flatMap((line) => /^npx platen (.*?)(?:\s+#\s.*)?$/.exec(line)?.[1] ?? []);
  return [...new Set(examples.map((example) => example.trim()))];
}

/** Splits each line as a shell does: into the command's arguments and the file to which its output is redirected. */
export function splitLines(lines: readonly string[]): { args: string[]; file: string | null }[] {
  const parts = lines.map((line) => /^(.*?)(?: > (\S+))?$/.exec(line) ?? []);
  const script = parts.map(([, command]) => `printf '%s\\0' ${command}; printf '\\n\\0'`).join('\n');
  const words = execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\n\0');
  return parts.map(([, , file = null], index) => ({ args: words[index]?.split('\0').slice(0, -1) ?? [], file }));
}
