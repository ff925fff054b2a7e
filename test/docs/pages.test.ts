import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const SOURCES = ['src', 'sandbox', 'test', 'migrations', 'scripts', 'bench'];
/** A page that a comment or a message cites, with the heading if one is cited. */
const CITATION = /\bdocs\/[a-z0-9/-]+\.md(?:#[a-z0-9-]+)?/g;
const LINK = /\]\(([^)\s]+)\)/g;

const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  ...listFiles('docs', '.md'),
  ...listFiles('deploy', '.md'),
];
// Excludes the tests in this folder, because they name targets that do not exist.
const sources = [
  'Dockerfile',
  'compose.yaml',
  ...listFiles('deploy', ''),
  ...SOURCES.flatMap((folder) => listFiles(folder, '.ts')).filter((file) => !file.startsWith('test/docs/')),
];

function listFiles(folder: string, ending: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending) && name.includes('.'))
    .map((name) => join(folder, name));
}

/** Explains why a target, given as `page.md#heading` from the root, does not exist. Returns null if it exists. */
function findFault(target: string): string | null {
  const [path = '', heading] = target.split('#');
  if (!existsSync(join(ROOT, path))) return `${path} does not exist`;
  if (heading === undefined || !path.endsWith('.md')) return null;
  return headingsOf(path).has(heading) ? null : `${path} has no heading #${heading}`;
}

/** Returns the anchors of a page, as GitHub derives them from the headings. */
function headingsOf(path: string): Set<string> {
  const text = readFileSync(join(ROOT, path), 'utf8').replaceAll(/^```[^]*?^```/gm, '');
  const anchors = new Set<string>();
  for (const [, title = ''] of text.matchAll(/^#{1,6} (.+)$/gm)) {
    const plain = title.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const anchor = plain
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(' ', '-');
    let unique = anchor;
    for (let count = 1; anchors.has(unique); count += 1) unique = `${anchor}-${count}`;
    anchors.add(unique);
  }
  return anchors;
}

test.each(pages)('every link of %s has a target that exists', (page) => {
  const text = readFileSync(join(ROOT, page), 'utf8').replaceAll(/^```[^]*?^```/gm, '');
  const targets = [...text.matchAll(LINK)].map(([, target = '']) => target);
  const inside = targets.filter((target) => !/^[a-z]+:/.test(target));
  const faults = inside.map((target) =>
    findFault(target.startsWith('#') ? `${page}${target}` : normalize(join(dirname(page), target))),
  );
  expect(faults.filter((fault) => fault !== null)).toEqual([]);
});

test.each(pages)('no line of %s exceeds 160 characters, except in generated examples', (page) => {
  const text = readFileSync(join(ROOT, page), 'utf8');
  const checked = page.startsWith('docs/reference/') ? text.replaceAll(/^```[^]*?^```/gm, '') : text;
  expect(checked.split('\n').filter((line) => line.length > 160)).toEqual([]);
});

test('every page and heading cited in the source exists', () => {
  const cited = sources.flatMap((file) =>
    [...readFileSync(join(ROOT, file), 'utf8').matchAll(CITATION)].map(([target]) => ({ file, target })),
  );
  expect(cited.length).toBeGreaterThan(50);
  const faults = cited.flatMap(({ file, target }) => {
    const fault = findFault(target);
    return fault === null ? [] : [`${file}: ${fault}`];
  });
  expect(faults).toEqual([]);
});

test.each(['docs/missing.md', 'docs/architecture.md#missing'])('the check reports the missing target %s', (target) => {
  expect(findFault(target)).not.toBeNull();
});
