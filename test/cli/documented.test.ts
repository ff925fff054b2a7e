import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { commands } from '../../src/cli/commands.ts';
import { parseCommandLine } from '../../src/cli/parse-command-line.ts';
import { readDocuments, readPlatenLines, splitLine } from './documented.ts';

const { scripts } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  scripts: Record<string, string>;
};

test.each(readPlatenLines())('the documented command "platen %s" is valid', (line) => {
  const { args } = splitLine(line);
  const command = [2, 1].flatMap((words) => commands.filter(({ name }) => name === args.slice(0, words).join(' ')))[0];
  if (!command) throw new Error(`There is no command ${line}.`);
  const given = parseCommandLine(command, args.slice(command.name.split(' ').length));
  // The documentation always names the shop with --shop.
  expect(command.needs === 'shop').toBe(args.includes('--shop'));
  expect(given.wantsHelp).toBe(false);
});

test('every npm script named in the documentation exists', () => {
  const named = [...readDocuments()].flatMap(([path, text]) =>
    [...text.matchAll(/npm run (?:-s )?([a-z][a-z:-]*)/g)].map(([, name = '']) => [path, name]),
  );
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter(([, name = '']) => !(name in scripts))).toEqual([]);
});
