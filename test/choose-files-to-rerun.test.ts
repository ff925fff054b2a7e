import { expect, test } from 'vitest';
import { mergeRuns, chooseFilesToRerun, type TestFile } from './choose-files-to-rerun.ts';

const file = (name: string, ...tests: string[]): TestFile => ({
  name,
  status: tests.includes('failed') || tests.length === 0 ? 'failed' : 'passed',
  assertionResults: tests.map((status) => ({ status })),
});

test('only the files that failed are run again', () => {
  const files = [file('test/a.test.ts', 'passed'), file('test/b.deep.ts', 'passed', 'failed'), file('test/c.test.ts')];
  expect(chooseFilesToRerun(files)).toEqual(['test/b.deep.ts', 'test/c.test.ts']);
});

test('no file is run again if many files failed or if any failed file uses random inputs', () => {
  const many = Array.from({ length: 6 }, (_, index) => file(`test/${index}.test.ts`, 'failed'));
  expect(chooseFilesToRerun(many)).toEqual([]);
  for (const name of ['test/simulate/simulate.deep.ts', 'test/fuzz/schemas.deep.ts'])
    expect(chooseFilesToRerun([file('test/a.test.ts', 'failed'), file(name, 'failed')]), name).toEqual([]);
});

test('a file that passes when run alone counts as passed and is named', () => {
  const first = [file('test/a.test.ts', 'passed', 'skipped'), file('test/b.deep.ts', 'passed', 'failed')];
  const second = [file('test/b.deep.ts', 'passed', 'passed')];
  expect(mergeRuns(first, second)).toEqual({ passed: 3, failed: 0, recovered: ['test/b.deep.ts'] });
});

test('a file that fails twice or cannot be loaded counts as failed', () => {
  const first = [file('test/a.test.ts', 'passed'), file('test/b.deep.ts', 'passed', 'failed'), file('test/c.test.ts')];
  expect(mergeRuns(first, [file('test/b.deep.ts', 'failed', 'failed')])).toEqual({
    passed: 1,
    failed: 3,
    recovered: [],
  });
});
