import { describe, expect, test } from 'vitest';
import type { Shop } from '../../../../src/database/entities/shops.ts';
import { renderPackingSlips } from '../../../../src/http/pages/packing-slips/render-packing-slips.ts';
import type { PackingSlip } from '../../../../src/shipments/packing-slips/read-packing-slips.ts';

const HOSTILE = `</style></td><script>alert(1)</script><img src=x onerror="alert('2')">`;
const to = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  addressLine1: 'Main Street 1',
  city: 'Springfield',
  postCode: '62701',
  state: 'IL',
  country: 'US',
  email: 'ada@example.com',
  phone: '+15550001111',
};
const slip: PackingSlip = {
  order: '#1001',
  placedAt: new Date('2026-11-01T23:30:00Z'),
  locale: null,
  to,
  note: null,
  tracking: null,
  lines: [{ title: 'Poster', variantTitle: '30 x 40 cm', sku: 'POSTER', quantity: 1 }],
  isDivided: false,
  hasMore: false,
};

function render(change: Partial<PackingSlip> = {}, settings = {}, shop: Partial<Shop> = {}, language = 'en'): string {
  const of = {
    name: 'Harbour Prints',
    currency: 'USD',
    contactEmail: null,
    timeZone: 'Europe/Berlin',
    settings,
    ...shop,
  };
  return renderPackingSlips([{ ...slip, ...change }], { shop: of as unknown as Shop, language });
}

describe('hostile text', () => {
  const fields = Object.fromEntries(Object.keys(to).map((name) => [name, name === 'country' ? 'US' : HOSTILE]));
  const hostileDocument = render(
    {
      order: HOSTILE,
      note: HOSTILE,
      locale: HOSTILE,
      to: fields as unknown as typeof to,
      tracking: { code: HOSTILE, carrier: HOSTILE },
      lines: [{ title: HOSTILE, variantTitle: HOSTILE, sku: HOSTILE, quantity: 1 }],
    },
    { packingSlip: { message: HOSTILE, logoUrl: 'https://cdn.example.com/"onerror="alert(3)' } },
    { name: HOSTILE },
  );

  test('is escaped everywhere in the document', () => {
    expect(hostileDocument).not.toMatch(/<script|<img src=x|" ?onerror=/);
    expect(hostileDocument.match(/<\/style>/g)).toHaveLength(1);
    expect(hostileDocument.split('&lt;script&gt;alert(1)').length - 1).toBeGreaterThan(12);
  });

  test('could not run even without escaping, because of the document’s policy', () => {
    expect(hostileDocument).toContain(
      `content="default-src &#39;none&#39;; img-src https:; style-src &#39;unsafe-inline&#39;"`,
    );
  });
});

test('an address has the format of its country, without an email address or phone number', () => {
  expect(render()).toContain('Ada Lovelace<br />Main Street 1<br />Springfield, IL 62701<br />United States');
  expect(render()).not.toMatch(/ada@example\.com|5550001111/);
});

test('the date is the day in the shop’s time zone', () => {
  expect(render({ locale: 'en-GB' })).toContain('2 November 2026');
  expect(render({ locale: 'de' })).toContain('2. November 2026');
});

test('a slip is in the buyer’s language, in the merchant’s if the buyer’s is unknown, and in English if Platen lacks the language', () => {
  const german = render({ locale: null }, {}, {}, 'de');
  for (const text of ['Lieferschein', 'Lieferadresse', 'Menge']) expect(german).toContain(text);
  for (const [locale, shown] of [
    ['de-AT', 'de-AT'],
    ['en', 'en'],
    ['fr', 'en'],
  ] as const)
    expect(render({ locale }, {}, {}, 'de')).toContain(`<article class="slip" lang="${shown}">`);
});

test('each slip has its own page, and states whether the order has more packages', () => {
  expect(render({ hasMore: true })).toContain('Your order will arrive in several packages.');
  expect(render({ isDivided: true, locale: 'de' })).toContain(
    'Diese Artikel sind vielleicht auf mehrere Pakete verteilt.',
  );
  expect(render()).toMatch(/\.slip \{\s+break-after: page;/);
});
