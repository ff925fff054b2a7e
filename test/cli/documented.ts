import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

const ROOT = new URL('../../', import.meta.url);

/** The documentation, by its path. */
export function readDocuments(): Map<string, string> {
  const docs = readdirSync(new URL('docs/', ROOT), { encoding: 'utf8', recursive: true }).filter((file) =>
    file.endsWith('.md'),
  );
  const paths = ['README.md', 'CONTRIBUTING.md', ...docs.map((file) => `docs/${file}`)];
  return new Map(paths.map((path) => [path, readFileSync(new URL(path, ROOT), 'utf8')]));
}

/** What stands between the fences of a language. */
export function blocksOf(text: string, language: string): string[] {
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(([, block = '']) => block);
}

/** Every `npx platen …` of the shell blocks, each once, without its comment. */
export function readPlatenLines(): string[] {
  const blocks = [...readDocuments().values()].flatMap((text) => blocksOf(text, 'sh'));
  const lines = blocks.flatMap((block) => block.replaceAll('\\\n', ' ').split('\n'));
  const examples = lines.flatMap((line) => /^npx platen (.*?)(?:\s+#\s.*)?$/.exec(line)?.[1] ?? []);
  return [...new Set(examples.map((example) => example.trim()))];
}

/** The words of a line as a shell gives them to a command, and the file that its output goes to. */
export function splitLine(line: string): { args: string[]; file: string | null } {
  const [, command = line, file = null] = /^(.*?) > (\S+)$/.exec(line) ?? [];
  const words = execFileSync('sh', ['-c', `printf '%s\\0' ${command}`], { encoding: 'utf8' });
  return { args: words.split('\0').slice(0, -1), file };
}
