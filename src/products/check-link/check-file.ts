import PQueue from 'p-queue';
import type { App } from '../../app.ts';
import type { PrintLink } from '../../database/products.ts';
import { fetchPrintFile, type FileNetwork } from '../../print/fetch-print-file.ts';
import { countPages } from './count-pages.ts';
import { judgeFile, judgePages } from './judge-file.ts';
import type { LinkProblem } from './link-problem.ts';
import { readFileType } from './read-file-type.ts';
import { readFileUrl } from './read-file-url.ts';

/** Whole files are up to 100 MB: one of them is held at a time. */
const wholeFiles = new PQueue({ concurrency: 1 });

/**
 * What is wrong with the print file of a link that a merchant has saved; nothing for a link without one. Of a link with a page count all of
 * its PDF is fetched and its pages are counted. With `PRINT_FILE_CHECK=off` its address is looked at, and nothing is fetched. Never throws
 * for what the file's server does or what is in the file.
 */
export async function checkFile(
  app: Pick<App, 'config'>,
  link: Pick<PrintLink, 'fileUrl' | 'pageCount'>,
  network?: FileNetwork,
): Promise<LinkProblem[]> {
  if (link.fileUrl === null) return [];
  const { url, problem } = readFileUrl(link.fileUrl);
  if (problem) return [problem];
  if (!app.config.checksPrintFiles) return [];
  const { pageCount } = link;
  const head = await fetchPrintFile(url, 'head', network);
  let found = judgeFile(head, pageCount);
  const isPdf = head.outcome === 'read' && readFileType(head.bytes) === 'pdf';
  if (found === null && isPdf && pageCount !== null)
    found = await wholeFiles.add(() => checkPages(url, pageCount, network));
  return found === null ? [] : [found];
}

async function checkPages(url: URL, pageCount: number, network?: FileNetwork): Promise<LinkProblem | null> {
  const whole = await fetchPrintFile(url, 'whole', network);
  const found = judgeFile(whole, pageCount);
  // Another file was put there since its first bytes were read: an image has one page.
  if (found !== null || whole.outcome !== 'read' || readFileType(whole.bytes) !== 'pdf') return found;
  return judgePages(await countPages(whole.bytes), pageCount);
}
