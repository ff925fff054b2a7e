import { QueryFailedError } from 'typeorm';

const MAX_CAUSES = 5;

/** Codes with which PostgreSQL reports that its server lacks something that only the operator can add. */
const LACKS: Readonly<Record<string, string>> = {
  '53100': 'the disk of PostgreSQL is full',
  '53200': 'the server of PostgreSQL has no free memory',
  '53300': 'PostgreSQL has no free connection',
};
/** How many failed statements of this process had the code 53100. */
let fullDisks = 0;

/** Returns what PostgreSQL's server lacks according to an error or its causes, or null. */
export function describeLack(error: unknown): string | null {
  for (let one = error, depth = 0; one instanceof Error && depth < MAX_CAUSES; one = one.cause, depth += 1) {
    const lack = LACKS[readErrorCode(one) ?? ''];
    if (lack !== undefined) return lack;
  }
  return null;
}

export function countIfDiskFull(error: unknown): void {
  if (readErrorCode(error) === '53100') fullDisks += 1;
}

/** Returns how many statements of this process failed because the disk of PostgreSQL was full. */
export function countFullDisks(): number {
  return fullDisks;
}

/** Returns PostgreSQL's code for a failed statement, such as `40P01`, or null if the error does not come from the database. */
export function readErrorCode(error: unknown): string | null {
  const cause: unknown = error instanceof QueryFailedError ? error.driverError : error;
  const code: unknown = (cause as { code?: unknown } | null | undefined)?.code;
  return typeof code === 'string' ? code : null;
}
