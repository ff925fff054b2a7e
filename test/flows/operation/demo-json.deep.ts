import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';

describe('platen demo --json', () => {
  const documentSchema = z.strictObject({
    orders: z.array(
      z.strictObject({
        name: z.string(),
        printOrders: z.array(
          z.strictObject({
            reference: z.string().min(1),
            serviceOrderIds: z.array(z.string().min(1)).min(1),
            shipmentMethodUid: z.string().min(1),
            ordersAtService: z.literal(1),
          }),
        ),
        fulfillments: z.array(
          z.strictObject({
            lines: z.array(z.strictObject({ sku: z.string(), quantity: z.int().min(1) })).min(1),
            trackingCodes: z.array(z.string().min(1)).min(1),
            trackingUrls: z.array(z.url()).min(1),
          }),
        ),
      }),
    ),
  });

  test('platen demo --json prints a single JSON document with three fulfilled orders and exits with 0', async () => {
    const environment = { PATH: process.env['PATH'] ?? '', SANDBOX_ADVANCE_SECONDS: '0.2' };
    const args = [fileURLToPath(new URL('../../../src/cli/main.ts', import.meta.url)), 'demo', '--json'];
    const child = spawn(process.execPath, args, { env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
    const ended = once(child, 'exit');
    const [output, progress] = await Promise.all([text(child.stdout), text(child.stderr)]);
    expect([await ended, progress]).toEqual([[0, null], expect.stringContaining('Placed #1001, #1002, #1003')]);
    const { orders } = documentSchema.parse(JSON.parse(output));
    expect(orders.map(({ name }) => name)).toEqual(['#1001', '#1002', '#1003']);
    expect(orders.map(({ printOrders }) => printOrders.length)).toEqual([1, 1, 1]);
    const skus = orders.map(({ fulfillments }) => fulfillments.flatMap(({ lines }) => lines.map(({ sku }) => sku)));
    expect(skus.map((list) => list.toSorted())).toEqual([['POSTER-30X40'], ['MUG-11OZ', 'TSHIRT-M'], ['POSTER-13X18']]);
    expect(orders.map(({ fulfillments }) => fulfillments.length)).toEqual([1, 2, 1]);
    expect(output.trimEnd().split('\n')).toHaveLength(1);
  }, 100_000);
});
