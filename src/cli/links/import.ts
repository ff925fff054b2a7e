import { createReadStream } from 'node:fs';
import { InvalidInputError, PlatenError } from '../../errors.ts';
import { importLinks, type ImportedLinks } from '../../products/links/import-links.ts';
import { MAX_LINKS_FILE_BYTES } from '../../products/links/read-links-file.ts';
import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { writeLine, writeErrorLine, writeJson, writeTable } from '../../terminal.ts';
import type { GivenArguments } from '../command.ts';
import { reportWaitingOrders } from '../orders/report-waiting-orders.ts';

/** `platen links import`: imports a file, or standard input for `-`. If the file has an error, nothing is saved. */
export async function linksImport(
  { args: [path = ''], options }: Pick<GivenArguments, 'args'> & { options: { 'dry-run': boolean; json: boolean } },
  app: App,
  shop: Shop,
): Promise<void> {
  const imported = await importLinks(app, shop, { bytes: await readBytes(path), isDryRun: options['dry-run'] });
  if (options.json) writeJson(imported);
  else {
    reportImport(imported);
    if (!options['dry-run'] && imported.errors.length === 0) await reportWaitingOrders(app, shop, null);
  }
  if (imported.errors.length > 0) throw new PlatenError('invalid_file', 'The file has errors. Nothing was saved.');
}

async function readBytes(path: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of path === '-' ? process.stdin : createReadStream(path)) {
      chunks.push(chunk as Buffer);
      size += (chunk as Buffer).length;
      if (size > MAX_LINKS_FILE_BYTES) break;
    }
  } catch (error) {
    throw new PlatenError('unreadable_file', `${path} cannot be read. Check that the file exists and is readable.`, {
      cause: error,
    });
  }
  if (size > MAX_LINKS_FILE_BYTES)
    throw new InvalidInputError('file', `${path} is larger than ${MAX_LINKS_FILE_BYTES} bytes. Split the file.`);
  return Buffer.concat(chunks, size);
}

function reportImport({
  dryRun,
  rows,
  created,
  changed,
  unchanged,
  ignoredColumns,
  errors,
  notChecked,
}: ImportedLinks): void {
  if (ignoredColumns.length > 0) writeErrorLine(`Ignored columns: ${ignoredColumns.join(', ')}.`);
  if (errors.length > 0)
    return writeTable(
      ['ROW', 'COLUMN', 'PROBLEM'],
      errors.map(({ row, column, message }) => [String(row), column ?? '', message]),
    );
  notChecked.forEach(writeErrorLine);
  const words = dryRun ? 'Without --dry-run:' : 'Saved:';
  writeLine(
    `${rows} ${rows === 1 ? 'row' : 'rows'}. ${words} ${created} new, ${changed} changed, ${unchanged} unchanged.`,
  );
}
