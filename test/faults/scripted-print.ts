import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';
import { Holds } from '../../src/database/entities/orders.ts';
import { PrintOrders } from '../../src/database/entities/print-orders.ts';
import { Shops } from '../../src/database/entities/shops.ts';
import { decryptBody, sealBody } from '../../src/orders/facts/recipient-column.ts';
import { createPrintClient } from '../../src/print/client.ts';
import { ensureInstallation } from '../../src/shops/install/installation.ts';
import { findOrCreatePrintAccount } from '../../src/shops/print-account/print-account.ts';
import { addShop, openTestApp, type TestApp } from '../http/test-app.ts';
import { addCustomerOrder, type OrderOf } from '../orders/privacy/add-customer-order.ts';
import { systemClock } from '../../src/clock.ts';

/** The item for which `addCustomerOrder` inserts a print order line. */
const ITEM = { itemReferenceId: '1', productUid: 'poster', quantity: 1, fileUrl: 'https://files.example/poster.pdf' };

interface ScriptedAnswer {
  status?: number;
  body: string;
}

/** An app with one shop and a print service whose responses the test provides. */
export interface ScriptedPrint {
  app: TestApp;
  /** Method and path of every request. */
  calls: string[];
  answer: (
    call: string,
    body: { orderReferenceIds?: string[]; orderReferenceId?: string; offset?: number },
  ) => ScriptedAnswer;
  add(changes: Parameters<typeof addCustomerOrder>[4]): Promise<OrderOf>;
  close(): Promise<void>;
}

export async function openScriptedPrint(): Promise<ScriptedPrint> {
  const service = createServer((request, response) => {
    void text(request).then((body) => {
      const call = `${request.method} ${request.url}`;
      scripted.calls.push(call);
      const answer = scripted.answer(call, body === '' ? {} : (JSON.parse(body) as object));
      response.writeHead(answer.status ?? 200, { 'content-type': 'application/json' }).end(answer.body);
    });
  }).listen(0, '127.0.0.1');
  await once(service, 'listening');
  const app = await openTestApp({ PRINT_ORDER_URL: `http://127.0.0.1:${(service.address() as AddressInfo).port}` });
  // A long timeout, so that a slow machine is not mistaken for a failing service.
  const patient = createPrintClient({ clock: systemClock, urls: app.config.print.urls, timeoutMs: 30_000 });
  app.print = patient;
  await ensureInstallation(app);
  const { id } = await addShop(app.db);
  const account = await findOrCreatePrintAccount(app, 'key-1234');
  await app.db.manager.update(Shops, { id }, { printAccountId: account.id });
  const shop = await app.db.manager.findOneByOrFail(Shops, { id });
  let number = 1000;
  const scripted: ScriptedPrint = {
    app,
    calls: [],
    answer: () => ({ status: 500, body: '{}' }),
    async add(changes) {
      number += 1;
      const added = await addCustomerOrder(app, shop, 'Marigold', number, changes);
      const { id: printOrderId, reference } = added.printOrder;
      const body = { ...decryptBody(app, added.printOrder), items: [ITEM] };
      const bodyEncrypted = sealBody(app, reference, {
        ...body,
        shippingAddress: { ...body.shippingAddress, state: 'NY' },
      });
      await app.db.manager.update(PrintOrders, { id: printOrderId }, { bodyEncrypted });
      await app.db.manager.delete(Holds, { printOrderId });
      return added;
    },
    async close() {
      await patient.close();
      await app.close();
      service.close();
    },
  };
  return scripted;
}
