import type { App } from '../../app.ts';
import type { PrintLink } from '../../database/entities/products.ts';
import { judgeFile, judgePages } from './judge-file.ts';
import type { LinkProblem } from './link-problem.ts';
import type { PrintFiles } from './open-print-files.ts';
import { readFileUrl } from './read-file-url.ts';

/**
 * What is wrong with the print file of a link that a merchant has saved; nothing for a link without one. Of a link with a page count all of
 * its PDF is fetched and its pages are counted. With `PRINT_FILE_CHECK=off` its address is looked at, and nothing is fetched. Never throws
 * for what the file's server does or what is in the file.
 */
export async function checkFile(
  app: Pick<App, 'config'>,
  { fileUrl, pageCount }: Pick<PrintLink, 'fileUrl' | 'pageCount'>,
  files: PrintFiles,
): Promise<LinkProblem[]> {
  if (fileUrl === null) return [];
  const { url, problem } = readFileUrl(fileUrl, files.port);
  if (problem) return [problem];
  if (!app.config.checksPrintFiles) return [];
  const seen = await files.see(url);
  let found = judgeFile(seen, pageCount);
  const isPdf = seen.outcome === 'read' && seen.type === 'pdf';
  if (found === null && isPdf && pageCount !== null) found = await checkPages(files, url, pageCount);
  return found === null ? [] : [found];
}

async function checkPages(files: PrintFiles, url: URL, pageCount: number): Promise<LinkProblem | null> {
  const { seen, pages } = await files.seeWhole(url);
  // Another file was put there since its first bytes were read: an image has one page.
  return pages === null ? judgeFile(seen, pageCount) : judgePages(pages, pageCount);
}
