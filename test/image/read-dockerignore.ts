/** Returns a function that checks whether a `.dockerignore` excludes a path. As in Docker, the last matching pattern decides. */
export function readDockerignore(text: string): (path: string) => boolean {
  const rules = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({ leavesOut: !line.startsWith('!'), pattern: toExpression(line.replace(/^!/, '')) }));
  return (path) => rules.findLast(({ pattern }) => pattern.test(path))?.leavesOut ?? false;
}

/** A pattern that matches a folder also matches the folder's contents. */
function toExpression(pattern: string): RegExp {
  const source = pattern
    .replaceAll(/^\/|\/$/g, '')
    .replaceAll(/[.+^${}()|[\]\\]/g, String.raw`\$&`)
    .replaceAll(/\*\*\/|\*|\?/g, (wildcard) => ({ '**/': '(?:.*/)?', '*': '[^/]*' })[wildcard] ?? '[^/]');
  return new RegExp(`^${source}(?:/|$)`);
}
