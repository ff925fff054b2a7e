import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { PlatenError } from '../../errors.ts';
import { exportPersonalData } from '../../orders/privacy/export-personal-data.ts';
import { listPrivacyRequests, type ListedPrivacyRequest } from '../../orders/privacy/list-privacy-requests.ts';
import { receiveShopRedact } from '../../orders/privacy/receive-shop-redact.ts';
import { redactCustomer } from '../../orders/privacy/redact-customer.ts';
import { uninstallShop } from '../../shops/install/uninstall.ts';
import { writeLine, writeJsonList, writeTable } from '../../terminal.ts';
import type { GivenArguments } from '../command.ts';
import { readPages } from '../read-pages.ts';
import { UsageError } from '../usage-error.ts';

const ORDER = /^(?:gid:\/\/shopify\/Order\/)?([1-9]\d{0,19})$/;
const REQUEST = /^[1-9]\d{0,17}$/;

/** `platen privacy list`: lists a shop's privacy requests. */
export async function privacyList({ json }: { json: boolean }, app: App, shop: Shop): Promise<void> {
  const requests = readPages(async (before) => {
    const { privacyRequests: rows, next } = await listPrivacyRequests(app, shop, before);
    return { rows, next };
  });
  if (json) return writeJsonList(requests);
  const rows: string[][] = [];
  for await (const one of requests)
    rows.push([
      one.id,
      one.kind,
      one.receivedAt,
      one.dueAt,
      one.doneAt ?? 'open',
      String(one.orders),
      describeHeldData(one),
    ]);
  writeTable(['ID', 'KIND', 'RECEIVED', 'DUE', 'DONE', 'ORDERS', 'STORED BY THE PRINT SERVICE'], rows);
}

function describeHeldData({ heldByPrintService }: ListedPrivacyRequest): string {
  return heldByPrintService.map(({ name, references }) => `${name} (${references.join(', ')})`).join('; ');
}

/** `platen privacy export`: writes one JSON document to standard output. */
export async function privacyExport({ args: [id = ''] }: GivenArguments, app: App, shop: Shop): Promise<void> {
  if (!REQUEST.test(id)) throw new UsageError('ID is invalid: enter the ID of a request from "platen privacy list".');
  const exported = await exportPersonalData(app, shop, id, 'operator');
  JSON.stringify(exported, null, 2).split('\n').forEach(writeLine);
}

/** `platen privacy redact`: erases the customer data of these orders as the webhook `customers/redact` does, for use after a restore. */
export async function privacyRedact({ args }: GivenArguments, app: App, shop: Shop): Promise<void> {
  const numbers = args.map((order) => ORDER.exec(order)?.[1]);
  if (numbers.includes(undefined)) throw new UsageError('ORDER_ID is invalid: enter the Shopify ID of each order.');
  const named = new Set(numbers);
  const resourceIds = { orders: [...named].map((number) => `gid://shopify/Order/${number}`).join(',') };
  const known = await redactCustomer(app, shop, { resourceIds, receivedAt: app.clock.now() });
  writeLine(`Platen knows ${known} of ${named.size} ${named.size === 1 ? 'order' : 'orders'}.`);
  if (known > 0) writeLine('The running app erases the known orders. "platen privacy list" shows when this is done.');
  if (known < named.size) writeLine('Unknown orders are never printed. If Platen receives them later, it erases them.');
}

/** `platen privacy forget`: deletes an uninstalled shop as the webhook `shop/redact` does, for use after a restore. */
export async function privacyForget(app: App, shop: Shop): Promise<void> {
  if (shop.state === 'installed' || shop.state === 'leaving')
    throw new PlatenError('shop_installed', `${shop.domain} was not erased, because Platen is installed there.`);
  // A restored database may not contain the uninstall. The store then rejects the restored token, so the shop needs to sign in.
  await uninstallShop(app, shop);
  await receiveShopRedact(app, shop);
}
