import { randomUUID } from 'node:crypto';
import type { App } from '../../src/app.ts';
import { connectDatabase, connectIntake } from '../../src/database/connect.ts';
import { listen } from '../../src/http/server.ts';
import { createPrintWebhookAddress } from '../../src/shops/print-account/print-webhook-address.ts';
import { addShop, createTestApp, post, createWebhookHeaders } from '../http/test-app.ts';

const PAID = JSON.stringify({ id: 1001, admin_graphql_api_id: 'gid://shopify/Order/1001' });

/** An endpoint's response and its duration. */
export interface Answer {
  id: string;
  status: number;
  ms: number;
}

/** Opens an app's endpoints with separate intake connections, as in production, and adds a shop that receives deliveries. */
export async function openIntakeEndpoints(databaseUrl: string) {
  const db = await connectDatabase({ url: databaseUrl });
  const testApp = createTestApp(db);
  const app: App = { ...testApp, intake: await connectIntake(databaseUrl) };
  const shop = await addShop(db);
  const address = await createPrintWebhookAddress(app, shop);
  const endpoints = await listen(app, { replayMs: 200 });
  const printUrl = endpoints.url + new URL(address).pathname;
  return {
    app,
    shop,
    /** Sends a delivery from Shopify. Calls with the same ID send the same delivery again. */
    deliver: (id: string = randomUUID()): Promise<Answer> => {
      const headers = createWebhookHeaders(PAID, { shop: shop.domain, 'X-Shopify-Webhook-Id': id });
      return timeResponse(id, post(`${endpoints.url}/webhooks/shopify`, PAID, headers));
    },
    /** Sends an event from the print service. */
    report: (id: string = randomUUID()): Promise<Answer> => {
      const order = { orderId: 'order-1', orderReferenceId: 'reference-1' };
      const event = { event: 'order_status_updated', id, ...order, fulfillmentStatus: 'printed' };
      return timeResponse(id, post(printUrl, JSON.stringify(event), { 'Content-Type': 'application/json' }));
    },
    spoolBytes: async (): Promise<number> => {
      const metrics = await (await fetch(`${endpoints.url}/metrics`)).text();
      return Number(/^platen_spool_bytes (\d+)/m.exec(metrics)?.[1]);
    },
    async close() {
      await endpoints.close();
      await Promise.all([db.destroy(), app.intake.destroy()]);
      await testApp.close();
    },
  };
}

async function timeResponse(id: string, answering: Promise<Response>): Promise<Answer> {
  const startedAt = performance.now();
  const { status } = await answering;
  return { id, status, ms: performance.now() - startedAt };
}

/** Counts the stored copies of each delivery by the delivery's ID. */
export async function countStored(db: App['db']): Promise<Map<string, number>> {
  const rows: { id: string; count: number }[] = await db.query(
    `select case source when 'print' then event_id else dedupe_key end as id, count(*)::int as count
     from deliveries group by 1`,
  );
  return new Map(rows.map(({ id, count }) => [id, count]));
}
