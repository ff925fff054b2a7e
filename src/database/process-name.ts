const PATTERN = /^platen(?: (\d\S*))?(?: key (\S+))?$/;

/** The name of a process's database connections (`application_name`). It shows the process's version and the key with which it encrypts. */
export function toProcessName({ version, keyId }: { version: string; keyId: string }): string {
  return `platen ${version} key ${keyId}`;
}

/**
 * Reads a process's version and key from the name of its connection. Processes of earlier versions report neither. Returns null if the
 * connection does not belong to a process that serves requests or runs jobs.
 */
export function parseProcessName(name: string): { version: string | null; keyId: string | null } | null {
  const found = PATTERN.exec(name);
  return found && { version: found[1] ?? null, keyId: found[2] ?? null };
}
