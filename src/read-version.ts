import { readFileSync } from 'node:fs';

/** Returns the version of Platen that this process runs. */
export function readVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  return version;
}
