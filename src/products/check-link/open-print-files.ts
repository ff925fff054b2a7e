import PQueue from 'p-queue';
import { fetchPrintFile, type FetchedPrintFile } from '../../print/files/fetch-print-file.ts';
import type { FileNetwork } from '../../print/files/public-host.ts';
import { countPages, type CountedPages } from './count-pages.ts';
import { HTTPS_PORT } from '../../print/files/check-file-url.ts';
import { callOnce } from './call-once.ts';
import { readFileType, type PrintFileType } from './read-file-type.ts';

/** Only one whole file, of up to 100 MB, is in memory at a time. */
const wholeFiles = new PQueue({ concurrency: 1 });

/** The result of fetching a file, without its bytes. */
export type FetchedFileInfo = Exclude<FetchedPrintFile, { outcome: 'read' }> | { outcome: 'read'; type: PrintFileType };

/** The print files of the links in one check. Each method fetches a file only once, regardless of how many links name the file. */
export interface PrintFiles {
  /** The port from which files are fetched. */
  port: number;
  /** Fetches the file's first bytes. */
  see(url: URL): Promise<FetchedFileInfo>;
  /** Fetches the whole file. `pages` is null if the file is no longer a PDF. */
  fetchWhole(url: URL): Promise<{ seen: FetchedFileInfo; pages: CountedPages | null }>;
}

/** Opens the print files of one shop's links for one job. The returned object stores the results, but not the bytes. */
export function openPrintFiles(network?: FileNetwork): PrintFiles {
  const starts = new Map<string, ReturnType<PrintFiles['see']>>();
  const wholes = new Map<string, ReturnType<PrintFiles['fetchWhole']>>();
  return {
    port: network?.port ?? HTTPS_PORT,
    see: (url) => callOnce(starts, url.href, async () => toFileInfo(await fetchPrintFile(url, 'head', network))),
    fetchWhole: (url) =>
      callOnce(wholes, url.href, () =>
        wholeFiles.add(async () => {
          const whole = await fetchPrintFile(url, 'whole', network);
          const seen = toFileInfo(whole);
          const isPdf = whole.outcome === 'read' && readFileType(whole.bytes) === 'pdf';
          return { seen, pages: isPdf ? await countPages(whole.bytes) : null };
        }),
      ),
  };
}

function toFileInfo(fetched: FetchedPrintFile): FetchedFileInfo {
  return fetched.outcome === 'read' ? { outcome: 'read', type: readFileType(fetched.bytes) } : fetched;
}
