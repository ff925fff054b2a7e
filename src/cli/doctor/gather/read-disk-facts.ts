import { access, constants, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { readSpool } from '../../../inbox/read-spool.ts';
import type { DiskFacts } from '../find/find-disk-problems.ts';

/** Returns the folder of the spool. */
export const toSpoolFolder = (home: string): string => join(home, 'spool');

/** Reads the free space and the spool of this server. Other servers have their own. */
export async function readDiskFacts(home: string, now: Date): Promise<DiskFacts> {
  const space = await statfs(home).catch(() => null);
  const isWritable = await access(home, constants.W_OK).then(
    () => true,
    () => false,
  );
  const { bytes, oldestAt, setAside } = await readSpool(toSpoolFolder(home));
  return {
    home,
    freeBytes: space === null ? null : space.bavail * space.bsize,
    isWritable,
    spoolBytes: bytes,
    oldestSeconds: oldestAt === null ? null : (now.getTime() - oldestAt.getTime()) / 1000,
    setAsideEvents: setAside,
  };
}
