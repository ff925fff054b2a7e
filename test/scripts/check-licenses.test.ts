import { expect, test } from 'vitest';
import { findLicenseProblems, type LockedPackage } from '../../scripts/check-licenses.ts';

const exceptions = [{ name: 'builder*', license: 'MPL-2.0', reason: 'Only the build runs it.' }];

const find = (name: string, locked: LockedPackage) =>
  findLicenseProblems({ '': {}, [`node_modules/${name}`]: { version: '1.0.0', ...locked } }, []);

test.each(['MIT', 'Apache-2.0', '(MIT OR GPL-3.0-only)', 'GPL-2.0-only OR (MIT AND ISC)', 'BlueOak-1.0.0'])(
  'a package with the license %s is allowed',
  (license) => {
    expect(find('one', { license })).toEqual([]);
  },
);

test.each([
  'GPL-3.0-only',
  'AGPL-3.0-or-later',
  'MIT AND GPL-3.0-only',
  'Apache-2.0+',
  'Apache-2.0 WITH LLVM-exception',
  'SEE LICENSE IN LICENSE.md',
  'UNLICENSED',
  'MIT or so',
  '',
])('a package with the license "%s" is not allowed', (license) => {
  expect(find('one', { license, dev: true })).toEqual([`one@1.0.0 (development): ${license}.`]);
});

test('a package without a license is not allowed', () => {
  expect(find('@scope/one', {})).toEqual(['@scope/one@1.0.0 (production): declares no license.']);
});

test('a nested package is named without its folder', () => {
  expect(find('one/node_modules/@scope/two', { license: 'GPL-3.0-only' })[0]).toContain('@scope/two@1.0.0');
});

test('an exception covers every platform of a development dependency, but not a production dependency or another license', () => {
  const builder = { license: 'MPL-2.0', dev: true };
  const packages = { 'node_modules/builder': builder, 'node_modules/builder-linux-x64': builder };
  expect(findLicenseProblems(packages, exceptions)).toEqual([]);
  for (const changed of [{ dev: false }, { license: 'GPL-3.0-only' }]) {
    const problems = findLicenseProblems(
      { ...packages, 'node_modules/builder-other': { ...builder, ...changed } },
      exceptions,
    );
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain('builder-other');
  }
});

test('an exception that no package needs is reported', () => {
  expect(findLicenseProblems({ 'node_modules/one': { license: 'MIT' } }, exceptions)).toEqual([
    'builder*: no package needs this exception. Remove it.',
  ]);
});
