import { describe, expect, test } from 'vitest';
import { compareDraft } from '../../../src/orders/submit/draft/compare-draft.ts';

const POSTER = { itemReferenceId: 'line-1', productUid: 'flat_300x400-mm_170-gsm', quantity: 2 };
const MUG = { itemReferenceId: 'line-2', productUid: 'mug_11-oz', quantity: 1 };
const address = {
  firstName: 'Zoë',
  lastName: 'Müller',
  addressLine1: 'Main St. 5',
  addressLine2: 'Apt 4',
  city: 'New York',
  postCode: '100 01',
  state: 'NY',
  country: 'US',
  email: 'zoe@example.com',
  phone: '+1 212 555 0100',
};
const body = { items: [POSTER, MUG], currency: 'USD', shippingAddress: address, shipmentMethodUid: 'ups_standard' };
const lines = [
  { itemReferenceId: 'line-1', sku: 'POSTER' },
  { itemReferenceId: 'line-2', sku: null },
];

type Part = Parameters<typeof compareDraft>[1][number];

function shown(change: Partial<Part> = {}): Part {
  const item = (one: typeof POSTER) => ({ id: one.itemReferenceId, ...one, fulfillmentStatus: 'draft' });
  return {
    items: [item(POSTER), item(MUG)],
    currency: 'USD',
    shippingAddress: { companyName: null, ...address },
    shipment: { shipmentMethodUid: 'ups_standard', shipmentMethodName: null, packages: [] },
    ...change,
  };
}

const echo = (change: Partial<NonNullable<Part['shippingAddress']>>): Part =>
  shown({ shippingAddress: { companyName: null, ...address, ...change } });

/** The draft with each of these items changed, or with only some of them. */
const withItems = (change: object, from = 0, to = 2): Part =>
  shown({
    items: shown()
      .items.slice(from, to)
      .map((item) => ({ ...item, ...change })),
  });
const shippedBy = (shipmentMethodUid: string) => ({ shipmentMethodUid, shipmentMethodName: null, packages: [] });

describe('a draft has no difference', () => {
  const respelled = { firstName: 'ZOE', lastName: 'muller', postCode: '10001', addressLine1: 'MAIN ST 5' };
  test.each<[string, Part[]]>([
    ['if it is unchanged', [shown()]],
    ['if its address differs only in case, accents and spaces', [echo(respelled)]],
    ['if it shows the name of the state instead of the code', [echo({ state: 'New York' })]],
    ['if the service does not report a field', [echo({ addressLine2: null, city: '', email: null })]],
    ['if the service does not report the address', [shown({ shippingAddress: null, currency: null, shipment: null })]],
    ['if the service reports no quantities or products', [withItems({ quantity: null, productUid: null })]],
    ['if its items are in connected parts', [withItems({}, 0, 1), { ...withItems({}, 1), shipment: null }]],
    ['if the units of an item are in two parts', [withItems({ quantity: 1 }), withItems({ quantity: 1 }, 0, 1)]],
    ['if the methods differ', [{ ...withItems({}, 0, 1), shipment: shippedBy('other_way') }, withItems({}, 1)]],
  ])('%s', (_what, parts) => {
    expect(compareDraft(body, parts, lines)).toBeNull();
  });

  test('a draft with one of several requested methods has no difference', () => {
    expect(compareDraft({ ...body, shipmentMethodUid: 'dhl_parcel,ups_standard' }, [shown()], lines)).toBeNull();
    expect(compareDraft({ ...body, shipmentMethodUid: 'normal' }, [shown()], lines)).toBeNull();
  });
});

describe("a person's edit is described by field, SKU and quantity, without personal data", () => {
  const added = { id: 'x', itemReferenceId: 'x', productUid: 'p', quantity: 3, fulfillmentStatus: 'draft' };
  const differs = (fields: string) => `The draft's shipping address differs in these fields: ${fields}.`;
  const moved = echo({ city: 'Boston', postCode: '02101' });
  test.each<[string, Part, string, string]>([
    ['fewer units', withItems({ quantity: 1 }), 'quantity', 'SKU POSTER: 2 were sent, but the draft has 1.'],
    ['a removed line', withItems({}, 0, 1), 'items', 'A line without a SKU: 1 was sent, but the draft has none.'],
    [
      'another product',
      withItems({ productUid: 'mug_11-oz' }),
      'productUid',
      'SKU POSTER: the draft has a different product.',
    ],
    ['an added item', shown({ items: [...shown().items, added] }), 'items', '1 item was added to the draft.'],
    ['another address', moved, 'shippingAddress', differs('city, postal code')],
    ['another country', echo({ country: 'CA' }), 'shippingAddress', differs('country')],
    ['another state', echo({ state: 'CA' }), 'shippingAddress', differs('state')],
    [
      'another method',
      shown({ shipment: shippedBy('dhl_express') }),
      'shipmentMethodUid',
      'The draft has a different shipping method.',
    ],
    ['another currency', shown({ currency: 'EUR' }), 'currency', 'The draft is in a different currency.'],
  ])('%s', (_what, part, field, sentence) => {
    const edit = compareDraft(body, [part], lines);
    expect(edit).toMatchObject({ fields: [field], sentences: [sentence] });
    expect(JSON.stringify(edit)).not.toMatch(/Boston|02101|Müller/);
  });
});

test('different edits of a draft have different hashes, and equal edits have the same hash', () => {
  const toCity = (city: string) => compareDraft(body, [echo({ city })], lines)?.sha256;
  expect(toCity('Boston')).toBe(toCity('boston'));
  expect(toCity('Boston')).not.toBe(toCity('Chicago'));
});
