import type { App } from '../../app.ts';
import type { PrintLink } from '../../database/entities/products.ts';
import { findFileProblem, findPageProblem } from './find-file-problem.ts';
import type { LinkProblem } from './link-problem.ts';
import type { PrintFiles } from './open-print-files.ts';
import { readFileUrl } from './read-file-url.ts';

/**
 * Returns the problems of a saved link's print file, or none for a link without a file. For a link with a page count, the whole PDF is
 * fetched and its pages are counted. With `PRINT_FILE_CHECK=off`, only the address is checked and nothing is fetched. A server failure or a
 * damaged file is returned as a problem, not thrown. Throws NoMemoryError if the pages cannot be counted now.
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
  let found = findFileProblem(seen, pageCount);
  const isPdf = seen.outcome === 'read' && seen.type === 'pdf';
  if (found === null && isPdf && pageCount !== null) found = await checkPages(files, url, pageCount);
  return found === null ? [] : [found];
}

async function checkPages(files: PrintFiles, url: URL, pageCount: number): Promise<LinkProblem | null> {
  const { seen, pages } = await files.count(url);
  // The file was replaced after its first bytes were read and is no longer a PDF, so its new type is checked.
  return pages === null ? findFileProblem(seen, pageCount) : findPageProblem(pages, pageCount);
}
