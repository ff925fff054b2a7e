import { describe, expect, test } from 'vitest';
import type { ProductStock } from '../../../src/print/current/catalog-objects.ts';
import { parseEvent } from '../../../src/print/events.ts';
import { connect, json, startService as startReceiver } from '../../print/servers.ts';
import { eventually } from '../../helpers/eventually.ts';
import { ENVELOPE, MUG, POSTER, startService } from './service.ts';

const REGIONS = ['US-CA', 'EU', 'UK', 'OC', 'AS', 'SA', 'ROW'];
const EMPTY_MUG = { productUid: MUG, stockRegionUid: 'EU', status: 'out-of-stock' };
const AMERICAN_ENVELOPE = 'blank-envelopes_pf_a2-env_pt_120-g-env';

function statusesOf({ availability }: ProductStock): Record<string, string | null> {
  return Object.fromEntries(availability.map(({ stockRegionUid, status }) => [stockRegionUid, status]));
}

function everywhere(status: string): Record<string, string> {
  return Object.fromEntries(REGIONS.map((region) => [region, status]));
}

/** Starts a stand-in with two accounts, each with one event address in its own payload style, and a receiver for both addresses. */
async function startWithEvents() {
  const client = await startService();
  const receiver = await startReceiver((_, response) => json(response, 200, {}));
  await client.ok('POST', '/_control/webhooks', {
    addresses: [
      { key: 'sandbox-key', url: `${receiver.url}/current`, headers: { 'x-secret': 'one' } },
      { key: 'sandbox-key-two', url: `${receiver.url}/older`, style: 'object' },
    ],
  });
  const receivedAt = (url: string) => receiver.requests.filter((request) => request.url === url);
  return { client, receiver, receivedAt };
}

describe('the stock by region', () => {
  test('stock has a status for stocked products, products made on demand and unsupported regions', async () => {
    const client = await startService();
    const print = connect(client.url, {}, 'sandbox-key');
    const stock = await print.getStockAvailability([MUG, POSTER, 'no-such-product', AMERICAN_ENVELOPE]);
    expect(stock.map(({ productUid }) => productUid)).toEqual([MUG, POSTER, 'no-such-product', AMERICAN_ENVELOPE]);
    expect(stock.map(statusesOf)).toEqual([
      everywhere('in-stock'),
      everywhere('non-stockable'),
      everywhere('not-supported'),
      { ...everywhere('not-supported'), 'US-CA': 'in-stock' },
    ]);
    expect(stock[0]?.availability[0]).toEqual({
      stockRegionUid: 'US-CA',
      status: 'in-stock',
      replenishmentDate: null,
    });
  });
});

describe('stock that a test has changed', () => {
  test('changed stock is returned by the control endpoint and the API, survives a restart and is cleared by a reset', async () => {
    const client = await startService();
    const replenishmentDate = '2031-02-13';
    const changes = [
      EMPTY_MUG,
      { productUid: MUG, stockRegionUid: 'UK', status: 'out-of-stock-replenishable', replenishmentDate },
    ];
    const changed = await client.ok('POST', '/_control/stock', { changes });
    await client.ok('POST', '/_control/stock', { changes: [{ ...EMPTY_MUG, stockRegionUid: 'AS' }] });
    await client.close();

    const again = await startService({ home: client.home });
    const print = connect(again.url, {}, 'sandbox-key');
    const [mug] = await print.getStockAvailability([MUG]);
    expect(mug?.availability).toEqual(
      REGIONS.map((stockRegionUid) => {
        if (stockRegionUid === 'UK') return { ...changes[1], productUid: undefined };
        const status = ['EU', 'AS'].includes(stockRegionUid) ? 'out-of-stock' : 'in-stock';
        return { stockRegionUid, status, replenishmentDate: null };
      }),
    );
    expect(changed).toMatchObject({ productsAvailability: [{ productUid: MUG }] });
    expect(await again.ok('GET', `/_control/stock?productUid=${MUG}`)).toEqual(mug);

    await again.ok('POST', '/_control/reset');
    const [fresh] = await print.getStockAvailability([MUG]);
    expect(fresh && statusesOf(fresh)).toEqual(everywhere('in-stock'));
  });

  test('changed stock is sent to every address in its own style, in one event with all changes', async () => {
    const { client, receivedAt } = await startWithEvents();
    const changes = [
      EMPTY_MUG,
      { ...EMPTY_MUG, productUid: ENVELOPE },
      { ...EMPTY_MUG, stockRegionUid: 'ROW' },
      { ...EMPTY_MUG, status: 'out-of-stock-replenishable', replenishmentDate: '2031-02-13' },
    ];
    await client.ok('POST', '/_control/stock', { changes });
    await eventually(() => receivedAt('/current').length + receivedAt('/older').length).toBe(2);
    const availability = [
      {
        productUid: MUG,
        availability: [
          { stockRegionUid: 'EU', status: 'out-of-stock-replenishable' },
          { stockRegionUid: 'ROW', status: 'out-of-stock' },
        ],
      },
      { productUid: ENVELOPE, availability: [{ stockRegionUid: 'EU', status: 'out-of-stock' }] },
    ];
    const [current] = receivedAt('/current');
    expect(current?.headers['x-secret']).toBe('one');
    expect(JSON.parse(current?.body ?? '')).toEqual({
      id: expect.stringMatching(/^sra_[0-9a-f]+$/),
      event: 'catalog_product_stock_availability_updated',
      productAvailability: availability,
    });
    const [older] = receivedAt('/older');
    expect(JSON.parse(older?.body ?? '')).toEqual({
      object: 'stockRegionAvailability',
      productsAvailability: availability,
    });
    for (const { body } of [...receivedAt('/current'), ...receivedAt('/older')]) {
      expect(parseEvent(JSON.parse(body))).toMatchObject({
        kind: 'catalog_product_stock_availability_updated',
        productAvailability: availability,
      });
    }
  });
});
