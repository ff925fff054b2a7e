import PQueue from 'p-queue';
import { fetchPrintFile, streamPrintFile, type FailedFetch } from '../../print/files/fetch-print-file.ts';
import type { FileNetwork } from '../../print/files/public-host.ts';
import { countPages, requireMemoryToCount, type CountedPages } from './count-pages.ts';
import { HTTPS_PORT } from '../../print/files/check-file-url.ts';
import { callOnce } from './call-once.ts';
import { readFileType, TYPE_BYTES, type PrintFileType } from './read-file-type.ts';

/** Only one file's pages are counted at a time, because each count may use as much memory as its limit allows. */
const wholeFiles = new PQueue({ concurrency: 1 });

/** The result of fetching a file, without its bytes. */
export type FetchedFileInfo = FailedFetch | { outcome: 'read'; type: PrintFileType };

/** The print files of the links in one check. Each method fetches a file only once, regardless of how many links name the file. */
export interface PrintFiles {
  /** The port from which files are fetched. */
  port: number;
  /** Fetches the file's first bytes. */
  see(url: URL): Promise<FetchedFileInfo>;
  /** Fetches the whole file and counts its pages. `pages` is null if the file is no longer a PDF. Throws NoMemoryError. */
  count(url: URL): Promise<{ seen: FetchedFileInfo; pages: CountedPages | null }>;
}

/** Opens the print files of one shop's links for one job. The returned object stores the results, but not the bytes. */
export function openPrintFiles(network?: FileNetwork): PrintFiles {
  const starts = new Map<string, ReturnType<PrintFiles['see']>>();
  const wholes = new Map<string, ReturnType<PrintFiles['count']>>();
  return {
    port: network?.port ?? HTTPS_PORT,
    see: (url) =>
      callOnce(starts, url.href, async () => {
        const fetched = await fetchPrintFile(url, network);
        return fetched.outcome === 'read' ? { outcome: 'read', type: readFileType(fetched.bytes) } : fetched;
      }),
    count: (url) =>
      callOnce(wholes, url.href, () =>
        wholeFiles.add(async () => {
          requireMemoryToCount();
          const fetched = await streamPrintFile(url, countIfPdf, network);
          return fetched.outcome === 'read' ? fetched.result : { seen: fetched, pages: null };
        }),
      ),
  };
}

async function countIfPdf(chunks: AsyncIterable<Buffer>): ReturnType<PrintFiles['count']> {
  const { head, whole } = await readHead(chunks);
  const type = readFileType(head);
  const pages = type === 'pdf' ? await countPages(whole) : null;
  return { seen: { outcome: 'read', type }, pages };
}

/** Reads enough of a file to detect its type. `whole` yields the file from its start. */
async function readHead(chunks: AsyncIterable<Buffer>): Promise<{ head: Buffer; whole: AsyncIterable<Buffer> }> {
  const rest = chunks[Symbol.asyncIterator]();
  let head: Buffer = Buffer.alloc(0);
  while (head.length < TYPE_BYTES) {
    const next = await rest.next();
    if (next.done) break;
    head = Buffer.concat([head, next.value]);
  }
  async function* whole(): AsyncGenerator<Buffer> {
    if (head.length > 0) yield head;
    yield* { [Symbol.asyncIterator]: () => rest };
  }
  return { head, whole: whole() };
}
