import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { generateReference } from '../../scripts/generate-reference.ts';

const FOLDER = join(import.meta.dirname, '../../docs/reference');
const reference = generateReference();

test.each([...reference])(
  'docs/reference/%s matches the source; otherwise, run "npm run generate:reference"',
  (name, text) => {
    expect(readFileSync(join(FOLDER, name), 'utf8')).toBe(text);
  },
);

test('docs/reference contains only generated pages', () => {
  expect(readdirSync(FOLDER).toSorted()).toEqual([...reference.keys()].toSorted());
});

test('docs/reference/endpoints.md lists every route of the server', () => {
  const server = readFileSync(join(import.meta.dirname, '../../src/http/server.ts'), 'utf8');
  const routes = [...server.matchAll(/router\.(get|put|post|delete)\(\s*['`]([^'`$]+)/g)].map(
    ([, method = '', path]) => `${method.toUpperCase()} ${path}`,
  );
  const page = reference.get('endpoints.md') ?? '';
  const documented = new Set([...page.matchAll(/`((?:GET|PUT|POST|DELETE) [^`?]+)/g)].map(([, endpoint]) => endpoint));
  expect(routes.length).toBeGreaterThan(50);
  expect(routes.filter((route) => !documented.has(route))).toEqual([]);
});
