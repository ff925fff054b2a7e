import { describe, expect, test } from 'vitest';
import type { PrintLink } from '../../src/database/entities/products.ts';
import { quoteRequestSchema } from '../../src/print/current/orders-v4.ts';
import { toRateQuote } from '../../src/rates/to-rate-quote.ts';

type Facts = Parameters<typeof toRateQuote>[0];

const link = { id: '7', productUid: 'poster', fileUrl: 'https://files.example/a.pdf', pageCount: null } as PrintLink;
const noEnvelopes = { envelopeProductUid: null, envelopesPerPiece: null };

function facts(destination: Partial<Facts['destination']>, quantity = 1): Facts {
  return {
    shop: { domain: 'paper-goods.myshopify.com' },
    destination: { country: 'DE', postal_code: null, province: null, city: null, ...destination },
    printed: [{ link: { ...link, ...noEnvelopes }, quantity }],
    currency: 'EUR',
    postCodePlaceholder: '00000',
    allowMultipleQuotes: true,
  };
}

describe('the quote request for a cart', () => {
  test.each([
    { country: 'DE', postal_code: '10115', city: 'Berlin' },
    { country: 'de' },
    { country: 'US', postal_code: '10001', province: 'NY', city: 'New York' },
    { country: 'AU', province: 'NSW' },
    { country: 'BR', province: 'SP', city: 'São Paulo' },
    { country: 'JP', postal_code: '100-0001', province: '東京都', city: '千代田区' },
    { country: 'CN', city: '北'.repeat(99) },
    { country: 'RU', city: `${'Ж'.repeat(29)}😀😀` },
    { country: 'HK', postal_code: 'x'.repeat(99), city: ' \u0000 ' },
  ])('a quote request is valid for %j', (destination) => {
    const request = toRateQuote(facts(destination));
    expect(quoteRequestSchema.safeParse(request)).toMatchObject({ success: true });
    expect(request?.recipient.country).toBe(destination.country.toUpperCase());
  });

  test('no quote is requested if the price depends on a state that is still unknown', () => {
    expect(toRateQuote(facts({ country: 'US', postal_code: '10001' }))).toBeNull();
  });

  test('a quote request contains no personal data', () => {
    expect(toRateQuote(facts({}))?.recipient).toEqual({
      firstName: 'Guest',
      lastName: 'Guest',
      addressLine1: 'Street 1',
      city: 'City',
      postCode: '00000',
      country: 'DE',
      email: 'rates@paper-goods.myshopify.com',
    });
  });
});
