import { expect, onTestFinished, test } from 'vitest';
import { enqueue } from '../../src/jobs/enqueue.ts';
import { startPlaten } from '../helpers/platen.ts';
import { startWorker } from '../helpers/start-worker.ts';
import { untilIdle } from '../helpers/until-idle.ts';
import { startMailServer } from './mail-server.ts';
import { atTime } from '../helpers/at-time.ts';

test('several workers send only one email about an order on hold', { timeout: 180_000 }, async () => {
  const mail = await startMailServer();
  const platen = await startPlaten({
    time: 'real',
    environment: { SMTP_URL: mail.url, MAIL_FROM: 'Platen <alerts@platen.example>' },
    settings: { alertEmails: ['owner@demo.example'], alertLanguage: 'de', release: 'by_hand' },
  });
  onTestFinished(() => platen.stop());
  const orders = [await placeOrder(), await placeOrder()];
  for (const { id } of orders) await platen.untilState(id, 'held');
  const app = atTime(platen.app, () => new Date(Date.now() + 10 * 60_000));
  const workers = await Promise.all([startWorker(app), startWorker(app)]);
  onTestFinished(async () => void (await Promise.all(workers.map((worker) => worker.stop()))));
  // The worker of `startPlaten` uses the real time, so the holds are too recent for it to send anything.
  await expect
    .poll(
      async () => {
        await enqueue(app.db, 'check_alerts', {});
        return mail.mails.length;
      },
      { timeout: 60_000, interval: 200 },
    )
    .toBe(1);
  for (let round = 0; round < 5; round += 1) {
    await enqueue(app.db, 'check_alerts', {});
    await enqueue(app.db, 'send_alerts', { shopId: platen.shop.id });
    await untilIdle(platen.app);
  }
  expect(mail.mails).toHaveLength(1);
  const { content, subject } = mail.mails[0]!;
  expect(subject).toContain('2 Bestellungen brauchen Ihre Aufmerksamkeit');
  expect(content).toContain('Freigabe nötig: 2 Bestellungen');
  for (const { name, id } of orders)
    expect(content).toContain(
      `${name}: ${platen.storeUrl}/demo.myshopify.com/admin/apps/sandbox-app/orders/${id.split('/').at(-1)}`,
    );
  for (const personal of ['Ada', 'Lovelace', 'ada@']) expect(content).not.toContain(personal);

  async function placeOrder() {
    return platen.placeSkus({ 'POSTER-30X40': 1 });
  }
});
