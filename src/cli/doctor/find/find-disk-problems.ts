import { findingsOf, type Finding } from '../finding.ts';
import { describeCount } from '../../describe-count.ts';

const { ok, warning, error } = findingsOf('disk');

const BYTES_PER_MIB = 1024 * 1024;
/** The maximum size of the spool. With less free space, the spool may not hold all events of a database outage. */
const MIN_BYTES = 256 * BYTES_PER_MIB;
/** Less than the volume that the Helm chart creates by default. */
const LOW_BYTES = 512 * BYTES_PER_MIB;
/** A spool is emptied every few seconds while the database is available. */
const OLD_SECONDS = 300;

export interface DiskFacts {
  home: string;
  freeBytes: number;
  isWritable: boolean;
  spoolBytes: number;
  /** The age of the oldest event in the spool, or null if the spool is empty. */
  oldestSeconds: number | null;
  setAsideEvents: number;
}

/** Finds problems with the folder in which Platen stores events during a database outage. */
export function findDiskProblems(facts: DiskFacts): Finding[] {
  const { home, freeBytes, isWritable, spoolBytes, oldestSeconds, setAsideEvents } = facts;
  const found: Finding[] = [];
  if (!isWritable)
    found.push(
      error({
        subject: 'PLATEN_HOME',
        message: `Platen cannot write to ${home}, so print events are lost while the database is unavailable.`,
        remedy: 'Make the folder writable for the user that runs Platen (10001 in the image).',
      }),
    );
  else if (freeBytes < LOW_BYTES) {
    const problem = {
      subject: 'PLATEN_HOME',
      message: `${describeSpace(facts)} The spool needs up to 256 MiB.`,
      remedy: 'Free space on the volume, or enlarge the volume.',
    };
    found.push(freeBytes < MIN_BYTES ? error(problem) : warning(problem));
  }
  if (oldestSeconds !== null && oldestSeconds > OLD_SECONDS)
    found.push(
      warning({
        subject: 'spool',
        message: `Events in the spool (${describeCount(spoolBytes, 'byte')}) have been waiting for ${Math.round(oldestSeconds / 60)} minutes.`,
        remedy: 'Start a process with ROLE=web or ROLE=all on this volume. It stores the events in the database.',
      }),
    );
  if (setAsideEvents > 0)
    found.push(
      warning({
        subject: 'set-aside.jsonl',
        message: `${describeCount(setAsideEvents, 'print event', ['was', 'were'])} set aside after the database rejected ${setAsideEvents === 1 ? 'it' : 'them'}.`,
        remedy: 'Find the cause in the log and fix it. Then retry storing the events (docs/operators/monitor.md).',
        fix: { name: 'store_events_set_aside' },
      }),
    );
  if (found.length > 0) return found;
  const spool = `The spool contains ${describeCount(spoolBytes, 'byte')}.`;
  return [ok({ subject: 'PLATEN_HOME', message: `${describeSpace(facts)} ${spool}` })];
}

function describeSpace({ home, freeBytes }: DiskFacts): string {
  if (freeBytes === 0) return `The disk of ${home} is full.`;
  return `${Math.floor(freeBytes / BYTES_PER_MIB)} MiB are free at ${home}.`;
}
