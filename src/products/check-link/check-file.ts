import type { App } from '../../app.ts';
import type { PrintLink } from '../../database/products.ts';
import { fetchPrintFile, type FileNetwork } from '../../print/fetch-print-file.ts';
import { judgeFile } from './judge-file.ts';
import type { LinkProblem } from './link-problem.ts';
import { readFileUrl } from './read-file-url.ts';

/**
 * What is wrong with the print file of a link that a merchant has saved; nothing for a link without one. With `PRINT_FILE_CHECK=off`
 * its address is looked at, and nothing is fetched. Never throws for what the file's server does.
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
  const found = judgeFile(await fetchPrintFile(url, 'head', network), link.pageCount);
  return found === null ? [] : [found];
}
