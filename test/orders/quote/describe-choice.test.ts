import { expect, test } from 'vitest';
import { toStoredQuote } from '../../../src/orders/quote/describe-choice.ts';
import type { PortQuote } from '../../../src/print/port.ts';
import { offered } from './offered.ts';

test('the stored quote has the product prices, but not the file URLs that the service repeats', () => {
  const shipmentMethod = offered('normal', 'normal', 5);
  const product = { itemReferenceId: 'a', productUid: 'mug', quantity: 2, price: 9.5, currency: 'USD' };
  const quote: PortQuote = {
    id: 'q',
    itemReferenceIds: ['a'],
    fulfillmentCountry: 'US',
    shipmentMethods: [shipmentMethod],
    products: [{ ...product, files: [{ type: 'default', url: 'https://uploads.example/mum.pdf' }] }, null],
  };
  const kept = toStoredQuote(quote, shipmentMethod, { way: { rule: 'cheapest' } as never, passedOver: [] });
  expect(kept).toMatchObject({ id: 'q', products: [product, {}], chosen: { uid: 'normal' } });
  expect(JSON.stringify(kept)).not.toContain('mum');
});
