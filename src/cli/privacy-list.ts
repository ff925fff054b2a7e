import { parseArgs } from 'node:util';
import type { App } from '../app.ts';
import type { Shop } from '../database/shops.ts';
import { listPrivacyRequests } from '../orders/privacy/list-privacy-requests.ts';
import type { ListedPrivacyRequest } from '../orders/privacy/list-privacy-requests.ts';
import { findShopArgument } from './find-shop-argument.ts';
import { withApp } from './open-app.ts';
import { printJsonList } from './print-json-list.ts';
import { printTable } from './print-table.ts';
import { UsageError } from './usage-error.ts';

/** `platen privacy list SHOP [--json]` */
export async function privacyList(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({ args, options: { json: { type: 'boolean' } }, allowPositionals: true });
  const [domain, ...rest] = positionals;
  if (domain === undefined || rest.length > 0) throw new UsageError('Which shop? Give its domain.');
  await withApp(async (app) => {
    const requests = listAll(app, await findShopArgument(app, domain));
    if (values.json) return printJsonList(requests);
    const rows: string[][] = [];
    for await (const one of requests)
      rows.push([one.id, one.kind, one.receivedAt, one.dueAt, one.doneAt ?? 'open', String(one.orders), held(one)]);
    printTable(['ID', 'KIND', 'RECEIVED', 'DUE', 'DONE', 'ORDERS', 'KEPT BY THE PRINT SERVICE'], rows);
  });
}

async function* listAll(app: App, shop: Shop): AsyncGenerator<ListedPrivacyRequest> {
  let before: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof listPrivacyRequests>> = await listPrivacyRequests(app, shop, before);
    yield* page.privacyRequests;
    before = page.next;
  } while (before !== null);
}

function held({ heldByPrintService }: ListedPrivacyRequest): string {
  return heldByPrintService.map(({ name, references }) => `${name} (${references.join(', ')})`).join('; ');
}
