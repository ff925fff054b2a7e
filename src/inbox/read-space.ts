import { access, constants, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The space that this process has in a folder. */
export interface Space {
  /** False if the process may not write there at all, for example because the file system is read-only. */
  isWritable: boolean;
  freeBytes: number;
}

/** Reads the space in a folder. A folder that does not exist yet has the space of the folder in which it would be created. */
export async function readSpace(folder: string): Promise<Space> {
  try {
    const { bavail, bsize, files, ffree } = await statfs(folder);
    const isWritable = await access(folder, constants.W_OK).then(
      () => true,
      () => false,
    );
    // A file system whose files are used up accepts no new file, however much space is left. Some count no files.
    const isOutOfFiles = files > 0 && ffree === 0;
    return { isWritable, freeBytes: isOutOfFiles ? 0 : bavail * bsize };
  } catch (error) {
    const parent = dirname(folder);
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' && parent !== folder) return readSpace(parent);
    return { isWritable: false, freeBytes: 0 };
  }
}
