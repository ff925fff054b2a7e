import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { PlatenError } from '../errors.ts';

/** A development dependency that the store's stand-in imports. */
const NEEDED = '@shopify/ui-extensions/admin';

/**
 * Throws PlatenError `no_sandbox` if the stand-ins do not exist, as in Docker images, or if their dependencies are not installed. `fault` is
 * the problem to report in its message.
 */
export function requireSandbox(fault: string): void {
  if (!existsSync(new URL('../../sandbox/start.ts', import.meta.url)))
    throw new PlatenError('no_sandbox', `${fault}: the sandbox is not part of this image.`);
  try {
    createRequire(import.meta.url).resolve(NEEDED);
  } catch (cause) {
    const remedy = 'Configure Platen (docs/start/install.md), or run "npm ci" to install the sandbox\'s dependencies.';
    throw new PlatenError('no_sandbox', `${fault}: the sandbox cannot start after "npm prune --omit=dev". ${remedy}`, {
      cause,
    });
  }
}
