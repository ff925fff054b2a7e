import { expect, test } from 'vitest';
import { hashPlan } from '../../../src/orders/facts/hash-plan.ts';
import { toCreateRequest } from '../../../src/orders/quote/to-create-request.ts';
import { toQuoteRequest } from '../../../src/orders/quote/to-quote-request.ts';
import { createOrderRequestSchema } from '../../../src/print/current/orders-v3.ts';
import { quoteRequestSchema } from '../../../src/print/current/orders-v4.ts';
import { ADDRESS as address } from '../plan/plan-input.ts';

const NONE = { pageCount: null, envelopeProductUid: null, envelopeQuantity: null };
const POSTER_FILE = 'https://files.example/p.pdf';
const BOOK_FILE = 'https://files.example/b.pdf';
const poster = { itemReferenceId: '11', productUid: 'poster', ...NONE, fileUrl: POSTER_FILE, quantity: 2 };
const book = { itemReferenceId: '12', productUid: 'book', ...NONE, pageCount: 28, fileUrl: BOOK_FILE, quantity: 1 };
const facts = {
  printOrder: { reference: 'plab12-1001-1-abcdefghijkl' },
  lines: [poster, book],
  recipient: address,
  customerReferenceId: 'demo-guest',
  currency: 'USD',
};
const SEVERAL = { allowMultipleQuotes: true };
const created = {
  ...facts,
  shipmentMethodUid: 'fed_ex_smart_post',
  promise: null,
  shop: 'demo.myshopify.com',
  orderName: '#1001',
  returnAddress: null,
};

test('a quote request has each line with its file, and a page count only for products with pages', () => {
  const request = toQuoteRequest(facts, SEVERAL);
  expect(quoteRequestSchema.safeParse(request).success).toBe(true);
  expect(request).toMatchObject({
    orderReferenceId: facts.printOrder.reference,
    customerReferenceId: 'demo-guest',
    currency: 'USD',
  });
  const file = (url: string) => ({ files: [{ type: 'default', url }] });
  expect(request.products).toEqual([
    { itemReferenceId: '11', productUid: 'poster', quantity: 2, ...file(POSTER_FILE) },
    { itemReferenceId: '12', productUid: 'book', quantity: 1, pageCount: 28, ...file(BOOK_FILE) },
  ]);
});

test('a create request has the fields of its interface, the chosen method and the items of the quote', () => {
  const request = toCreateRequest(created);
  expect(createOrderRequestSchema.safeParse(request).success).toBe(true);
  expect(request).toMatchObject({ shippingAddress: address, shipmentMethodUid: 'fed_ex_smart_post' });
  expect(
    request.items.map(({ itemReferenceId, quantity, pageCount }) => [itemReferenceId, quantity, pageCount]),
  ).toEqual([
    ['11', 2, undefined],
    ['12', 1, 28],
  ]);
});

test('the metadata of a create request names the shop and the order, but not the buyer', () => {
  expect(toCreateRequest(created).metadata).toEqual([
    { key: 'shop', value: 'demo.myshopify.com' },
    { key: 'order', value: '#1001' },
  ]);
});

test('the return address is sent only if the shop has one', () => {
  expect(toCreateRequest(created)).not.toHaveProperty('returnAddress');
  const returnAddress = { companyName: 'Harbour Prints' };
  expect(toCreateRequest({ ...created, returnAddress })).toMatchObject({ returnAddress });
});

test('the hash of a print order ignores the sequence of its lines and changes with any other value', () => {
  const items = [poster, book].map((line, index) => ({ ...line, shopifyLineItemId: String(index) }));
  const terms = { currency: 'USD' as const, returnAddress: null };
  const hash = hashPlan(items, address, terms, []);
  const [first, second] = items;
  if (!first || !second) throw new Error('two lines');
  expect(hashPlan([second, first], address, terms, [])).toBe(hash);
  const others = [
    hashPlan([first], address, terms, []),
    hashPlan([{ ...first, quantity: 3 }, second], address, terms, []),
    hashPlan([{ ...first, productUid: 'other' }, second], address, terms, []),
    hashPlan([{ ...first, fileUrl: null }, second], address, terms, []),
    hashPlan([first, { ...second, pageCount: 30 }], address, terms, []),
    hashPlan(items, { ...address, city: 'Evanston' }, terms, []),
    hashPlan(items, address, { ...terms, currency: 'EUR' }, []),
    hashPlan(items, address, terms, [{ title: 'Express', code: null }]),
  ];
  expect(new Set([hash, ...others]).size).toBe(9);
});

test('the metadata of a create request contains an order name up to the last character that fits', () => {
  const { metadata } = toCreateRequest({ ...created, orderName: `${'9'.repeat(99)}🎈` });
  expect(metadata).toContainEqual({ key: 'order', value: '9'.repeat(99) });
});
