import { existsSync } from 'node:fs';
import { PlatenError } from '../errors.ts';

/** Throws PlatenError `no_sandbox` if the stand-ins do not exist, as in Docker images. `fault` is the problem to report in its message. */
export function requireSandbox(fault: string): void {
  if (existsSync(new URL('../../sandbox/start.ts', import.meta.url))) return;
  throw new PlatenError('no_sandbox', `${fault}: the sandbox is not part of this image.`);
}
