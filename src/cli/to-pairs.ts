import { UsageError } from './usage-error.ts';

/** The values of an option that is written NAME=VALUE each time, by name. Throws UsageError, also of a name that is given twice. */
export function toPairs(option: string, given: readonly string[]): Record<string, string> {
  const pairs = given.map((one): [string, string] => {
    const [name = '', value = ''] = one.split(/=(.*)/s);
    if (name === '' || value === '') throw new UsageError(`--${option} ${one} is not understood: write NAME=VALUE.`);
    return [name, value];
  });
  const names = new Set<string>();
  for (const [name] of pairs) {
    if (names.has(name)) throw new UsageError(`--${option} ${name} is given twice: give it once.`);
    names.add(name);
  }
  return Object.fromEntries(pairs);
}
