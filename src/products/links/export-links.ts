import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { escapeFormula, toCsvLine } from './csv.ts';
import { listLinks } from './list-links.ts';
import { linkFields } from './parse-link.ts';
import { columnNames } from './read-links-file.ts';

/** Makes spreadsheets read the file as UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF';

/** Yields all print links of a shop, line by line, as a CSV file that `importLinks` can read. */
export async function* exportLinks(app: App, shop: Pick<Shop, 'id'>): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + toCsvLine(linkFields.map((field) => columnNames[field]));
  for await (const link of listLinks(app, shop))
    yield toCsvLine(linkFields.map((field) => escapeFormula(String(link[field] ?? ''))));
}
