import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { verifyWebhook } from '../../../src/shopify/webhooks/verify-webhook.ts';

const secret = 'sandbox-secret';
const body = Buffer.from('{"id":820982911946154508,"name":"#1001","note":"naïve ☃ \\u0000"}');

const sign = (bytes: Buffer, key = secret) => createHmac('sha256', key).update(bytes).digest('base64');

const classic = (hmac = sign(body)): Record<string, string> => ({
  'x-shopify-topic': 'orders/paid',
  'x-shopify-hmac-sha256': hmac,
  'x-shopify-shop-domain': 'demo.myshopify.com',
  'x-shopify-api-version': '2026-10',
  'x-shopify-webhook-id': 'b54557e4-bdd9-4b37-8a5f-bf7d70bcd043',
  'x-shopify-event-id': '98880550-7158-44d4-b7cd-2c97c8a091b5',
  'x-shopify-triggered-at': '2026-11-20T10:00:00.123456789Z',
});

const without = (headers: Record<string, string>, name: string) => {
  const { [name]: _, ...rest } = headers;
  return rest;
};

describe('a delivery with a valid signature', () => {
  test('a delivery is verified by its bytes, even if they are not UTF-8', () => {
    const bytes = Buffer.from([0x7b, 0xff, 0xfe, 0x00, 0x80, 0x7d]);
    expect(verifyWebhook([secret], bytes, { headers: classic(sign(bytes)) }).ok).toBe(true);
    const spelled = Buffer.from(bytes.toString('utf8'));
    expect(verifyWebhook([secret], spelled, { headers: classic(sign(bytes)) })).toMatchObject({
      reason: 'invalid_hmac',
    });
  });

  test.each(['x-shopify-topic', 'x-shopify-shop-domain', 'x-shopify-api-version', 'x-shopify-webhook-id'])(
    'a delivery without %s is refused',
    (name) => {
      const headers = without(classic(), name);
      expect(verifyWebhook([secret], body, { headers })).toEqual({ ok: false, reason: 'missing_headers' });
    },
  );
});

describe('a delivery during a rotation of the secret', () => {
  const both = [secret, 'the-secret-before'];

  test('a delivery signed with the old or the new secret is accepted', () => {
    for (const key of both)
      expect(verifyWebhook(both, body, { headers: classic(sign(body, key)) })).toMatchObject({ ok: true });
  });

  test('a delivery signed with a third secret is refused', () => {
    const headers = classic(sign(body, 'the-secret-before-that'));
    expect(verifyWebhook(both, body, { headers })).toEqual({ ok: false, reason: 'invalid_hmac' });
    expect(verifyWebhook([], body, { headers: classic() })).toEqual({ ok: false, reason: 'invalid_hmac' });
  });
});
