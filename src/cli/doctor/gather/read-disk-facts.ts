import { join } from 'node:path';
import { readSpace } from '../../../inbox/read-space.ts';
import { readSpool } from '../../../inbox/read-spool.ts';
import type { DiskFacts } from '../find/find-disk-problems.ts';

/** Returns the folder of the spool. */
export const toSpoolFolder = (home: string): string => join(home, 'spool');

/** Reads the free space and the spool of this server. Other servers have their own. */
export async function readDiskFacts(home: string, now: Date): Promise<DiskFacts> {
  const { bytes, oldestAt, setAside } = await readSpool(toSpoolFolder(home));
  return {
    home,
    ...(await readSpace(home)),
    spoolBytes: bytes,
    oldestSeconds: oldestAt === null ? null : (now.getTime() - oldestAt.getTime()) / 1000,
    setAsideEvents: setAside,
  };
}
