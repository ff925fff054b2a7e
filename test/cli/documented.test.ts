import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { commands } from '../../src/cli/commands.ts';
import { parseCommandLine } from '../../src/cli/parse-command-line.ts';
import { readDocuments, readPlatenLines, splitLines } from './documented.ts';

const { scripts } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  scripts: Record<string, string>;
};

test('every platen command in the documentation is valid', () => {
  for (const { args } of splitLines(readPlatenLines())) {
    const command = [2, 1].flatMap((words) =>
      commands.filter(({ name }) => name === args.slice(0, words).join(' ')),
    )[0];
    if (!command) throw new Error(`There is no command ${args.join(' ')}.`);
    const given = parseCommandLine(command, args.slice(command.name.split(' ').length));
    // The documentation always names the shop with --shop.
    expect([args, command.needs === 'shop']).toEqual([args, args.includes('--shop')]);
    expect(given.wantsHelp).toBe(false);
  }
});

test('every npm script named in the documentation exists', () => {
  const named = [...readDocuments()].flatMap(([path, text]) =>
    [...text.matchAll(/npm run (?:-s )?([a-z][a-z:-]*)/g)].map(([, name = '']) => [path, name]),
  );
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter(([, name = '']) => !(name in scripts))).toEqual([]);
});
