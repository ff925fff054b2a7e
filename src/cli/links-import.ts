import { createReadStream } from 'node:fs';
import { parseArgs } from 'node:util';
import { InvalidInputError, PlatenError } from '../errors.ts';
import { importLinks, type ImportedLinks } from '../products/links/import-links.ts';
import { MOST_BYTES } from '../products/links/read-links-file.ts';
import { findShopArgument } from './find-shop-argument.ts';
import { withApp } from './open-app.ts';
import { printTable } from './print-table.ts';
import { UsageError } from './usage-error.ts';

const OPTIONS = {
  shop: { type: 'string' },
  'dry-run': { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
} as const;

/** `platen links import FILE --shop SHOP [--dry-run] [--json]`; `-` is standard input. With an error in the file nothing is saved. */
export async function linksImport(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({ args, options: OPTIONS, allowPositionals: true });
  const [path, ...rest] = positionals;
  if (path === undefined || rest.length > 0)
    throw new UsageError('Which file? Give its path once, or - for standard input.');
  const { shop: domain, json, 'dry-run': isDryRun } = values;
  if (domain === undefined) throw new UsageError('Which shop? Give --shop and its domain.');
  await withApp(async (app) => {
    const shop = await findShopArgument(app, domain);
    const imported = await importLinks(app, shop, { bytes: await readBytes(path), isDryRun });
    if (json) console.log(JSON.stringify(imported));
    else show(imported);
    if (imported.errors.length > 0)
      throw new PlatenError('invalid_file', 'There are errors in the file: nothing is saved.');
  });
}

async function readBytes(path: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of path === '-' ? process.stdin : createReadStream(path)) {
      chunks.push(chunk as Buffer);
      size += (chunk as Buffer).length;
      if (size > MOST_BYTES) break;
    }
  } catch (error) {
    throw new PlatenError('unreadable_file', `${path} cannot be read.`, { cause: error });
  }
  if (size > MOST_BYTES) throw new InvalidInputError('file', `${path} is larger than ${MOST_BYTES} bytes: divide it.`);
  return Buffer.concat(chunks, size);
}

function show({ dryRun, rows, created, changed, unchanged, ignoredColumns, errors }: ImportedLinks): void {
  if (ignoredColumns.length > 0) console.error(`Columns that are not read: ${ignoredColumns.join(', ')}.`);
  if (errors.length > 0)
    return printTable(
      ['ROW', 'COLUMN', 'WHAT IS WRONG'],
      errors.map(({ row, column, message }) => [String(row), column ?? '', message]),
    );
  const words = dryRun ? 'Without --dry-run' : 'Saved:';
  console.log(
    `${rows} ${rows === 1 ? 'row' : 'rows'}. ${words} ${created} new, ${changed} changed, ${unchanged} as before.`,
  );
}
