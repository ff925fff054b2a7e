import { findingsOf, type Finding } from '../finding.ts';

const { ok, warning, error } = findingsOf('clock');

/** The Date header has a resolution of one second. */
const SMALL_SECONDS = 5;
const LARGE_SECONDS = 60;

/** How far the database's clock is ahead of another clock, in seconds, or null if that clock could not be read. */
export interface ClockFacts {
  aheadOfServer: number;
  /** The print service's and Shopify's clocks, from the Date header of a response. */
  aheadOf: readonly { name: string; seconds: number | null }[];
}

/** Finds clocks that differ from the database's clock. Platen schedules its jobs and retries by the database's clock. */
export function findClockProblems({ aheadOfServer, aheadOf }: ClockFacts): Finding[] {
  const all = [{ name: 'this server', seconds: aheadOfServer }, ...aheadOf];
  const found = all.flatMap(({ name, seconds }) => {
    if (seconds === null || Math.abs(seconds) <= SMALL_SECONDS) return [];
    const direction = seconds > 0 ? 'ahead of' : 'behind';
    const problem = {
      subject: name,
      message: `The database's clock is ${Math.round(Math.abs(seconds))} seconds ${direction} the clock of ${name}.`,
      remedy: 'Synchronize the clocks of the database and of all Platen servers with NTP.',
    };
    return [Math.abs(seconds) > LARGE_SECONDS ? error(problem) : warning(problem)];
  });
  if (found.length > 0) return found;
  const compared = all.filter(({ seconds }) => seconds !== null).map(({ name }) => name);
  return [ok({ subject: 'database', message: `The database's clock agrees with ${compared.join(', ')}.` })];
}
