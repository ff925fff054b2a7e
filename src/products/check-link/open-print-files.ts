import PQueue from 'p-queue';
import { fetchPrintFile, type FetchedPrintFile, type FileNetwork } from '../../print/files/fetch-print-file.ts';
import { countPages, type CountedPages } from './count-pages.ts';
import { HTTPS_PORT } from '../../print/files/judge-file-url.ts';
import { once } from './once.ts';
import { readFileType, type PrintFileType } from './read-file-type.ts';

/** Whole files are up to 100 MB: one of them is held at a time. */
const wholeFiles = new PQueue({ concurrency: 1 });

/** What came of asking for a file, without its bytes. */
export type SeenFile = Exclude<FetchedPrintFile, { outcome: 'read' }> | { outcome: 'read'; type: PrintFileType };

/** The print files of the links that are checked together: however many links name a file, each call fetches it once. */
export interface PrintFiles {
  /** The port at which they are fetched. */
  port: number;
  /** By the first bytes of the file. */
  see(url: URL): Promise<SeenFile>;
  /** By all of it; `pages` is null where it is no PDF by now. */
  seeWhole(url: URL): Promise<{ seen: SeenFile; pages: CountedPages | null }>;
}

/** Opens the print files of one shop's links for one job: what was found of a file is remembered as long as this is, its bytes are not. */
export function openPrintFiles(network?: FileNetwork): PrintFiles {
  const starts = new Map<string, ReturnType<PrintFiles['see']>>();
  const wholes = new Map<string, ReturnType<PrintFiles['seeWhole']>>();
  return {
    port: network?.port ?? HTTPS_PORT,
    see: (url) => once(starts, url.href, async () => toSeen(await fetchPrintFile(url, 'head', network))),
    seeWhole: (url) =>
      once(wholes, url.href, () =>
        wholeFiles.add(async () => {
          const whole = await fetchPrintFile(url, 'whole', network);
          const seen = toSeen(whole);
          const isPdf = whole.outcome === 'read' && readFileType(whole.bytes) === 'pdf';
          return { seen, pages: isPdf ? await countPages(whole.bytes) : null };
        }),
      ),
  };
}

function toSeen(fetched: FetchedPrintFile): SeenFile {
  return fetched.outcome === 'read' ? { outcome: 'read', type: readFileType(fetched.bytes) } : fetched;
}
