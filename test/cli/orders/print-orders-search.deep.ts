import { expect, test } from 'vitest';
import type { PrintOrder } from '../../../src/database/entities/print-orders.ts';
import { decryptBody } from '../../../src/orders/facts/recipient-column.ts';
import { changeSettings } from '../../../src/shops/settings/settings.ts';
import type { PlacedOrder } from '../../helpers/platen.ts';
import { platen, testPlaten } from '../../helpers/test-platen.ts';
import { runAlongside } from '../../helpers/run-alongside.ts';
import { untilPrintOrder } from '../../flows/submit/submit-helpers.ts';

testPlaten({ advanceSeconds: null });

const search = (...args: string[]) => runAlongside(platen, 'print-orders', 'search', '--shop', 'demo', ...args);

/** Sends an order through an interface of the print service. */
async function send(settings: Record<string, unknown>): Promise<{ order: PlacedOrder; printOrder: PrintOrder }> {
  await changeSettings(platen.app, platen.shop, settings);
  const order = await platen.placeSkus({ 'POSTER-30X40': 1 });
  const printOrder = await untilPrintOrder(platen, order, ({ confirmedAt }) => confirmedAt !== null);
  // The earlier interfaces show an order a few seconds after its creation.
  await platen.pass(10_000);
  return { order, printOrder };
}

test('the print service’s orders are searched with the filters of the interface that the shop’s account has', async () => {
  const { order, printOrder } = await send({ printInterface: 'current', extendedCalls: true });
  const { orderReferenceId } = (await platen.control('print', 'POST', '/orders', {
    key: 'sandbox-key',
    channel: 'ui',
    order: { ...decryptBody(platen.app, printOrder), orderReferenceId: 'by-hand', orderType: 'draft' },
  })) as { orderReferenceId: string };
  const all = await search();
  expect(all).toMatchObject({ code: 0, stderr: '' });
  expect(all.stdout).toMatch(/^ID +REFERENCE +ORDER +TYPE +STATUS +PAYMENT +RECIPIENT +COUNTRY +CREATED$/m);
  expect(all.stdout).toMatch(
    new RegExp(`^${printOrder.serviceOrderId} +${printOrder.reference} +${order.name} +order `, 'm'),
  );
  const found = async (...args: string[]) => {
    const { code, stdout, stderr } = await search(...args, '--json');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return (JSON.parse(stdout) as { orderReferenceId: string }[]).map((one) => one.orderReferenceId);
  };
  expect(await found('--order-type', 'draft')).toEqual([orderReferenceId]);
  expect(await found('--channel', 'ui')).toEqual([orderReferenceId]);
  expect(await found(printOrder.reference)).toEqual([printOrder.reference]);
  expect(await found('--id', printOrder.serviceOrderId ?? '', '--country', 'DE')).toEqual([]);
  const limited = await search('--limit', '1', '--json');
  expect(JSON.parse(limited.stdout)).toHaveLength(1);
  expect(limited.stderr).toContain('There are more orders.');
  // v3, which is used without the extended calls, has fewer filters and does not show the type.
  await changeSettings(platen.app, platen.shop, { extendedCalls: false });
  expect(await found(printOrder.reference)).toEqual([printOrder.reference]);
  expect((await search('--json')).stdout).not.toContain('"orderType"');
  expect(await search('--order-type', 'draft')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("--order-type is not available: this shop's print account is searched through v3."),
  });
});

test('orders of the earlier interfaces are shown by their references, with the address where the interface has it', async () => {
  const v2 = (await send({ printInterface: 'v2' })).printOrder;
  const shown = await search(v2.reference, 'unknown');
  expect(shown).toMatchObject({ code: 0, stderr: '' });
  expect(shown.stdout).toMatch(new RegExp(`${v2.reference} +#\\d+ +created +\\S+ \\S+ +[A-Z]{2}`));
  expect(shown.stdout).toMatch(/unknown +not found/);
  const { stdout } = await search(v2.reference, '--json');
  expect(JSON.parse(stdout)).toMatchObject([{ recipient: { addressLine1: expect.any(String) } }]);
  const v1 = (await send({ printInterface: 'v1' })).printOrder;
  expect((await search(v1.reference)).stdout).toMatch(new RegExp(`${v1.reference} +#\\d+ +created`));
  expect(await search()).toMatchObject({ code: 2, stderr: expect.stringContaining('which has no search') });
});
