import { UsageError } from './usage-error.ts';

/** The values of an option that is written NAME=VALUE each time, by name; of a name twice the last counts. Throws UsageError. */
export function toPairs(option: string, given: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    given.map((one): [string, string] => {
      const [name = '', value = ''] = one.split(/=(.*)/s);
      if (name === '' || value === '') throw new UsageError(`--${option} ${one} is not understood: write NAME=VALUE.`);
      return [name, value];
    }),
  );
}
