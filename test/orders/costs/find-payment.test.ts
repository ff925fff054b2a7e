import { expect, test } from 'vitest';
import { findPayment } from '../../../src/orders/costs/find-payment.ts';

const at = (minute: number): string => `2026-11-20T10:0${minute}:00Z`;

test('the payment time of an order is the time of its last successful sale or capture', () => {
  const transactions = [
    { kind: 'AUTHORIZATION', status: 'SUCCESS', processedAt: at(0) },
    { kind: 'CAPTURE', status: 'FAILURE', processedAt: at(5) },
    { kind: 'CAPTURE', status: 'SUCCESS', processedAt: at(3) },
    { kind: 'SALE', status: 'SUCCESS', processedAt: at(2) },
    { kind: 'SALE', status: 'SUCCESS', processedAt: null },
    { kind: 'SALE', status: 'SUCCESS', processedAt: '+010000-01-01T00:00:00Z' },
    { kind: 'SALE', status: 'SUCCESS', processedAt: '0000-01-01T00:00:00Z' },
    { kind: 'SALE', status: 'SUCCESS', processedAt: 'yesterday' },
    { kind: 'REFUND', status: 'SUCCESS', processedAt: at(7) },
  ] as const;
  expect(findPayment({ transactions: [...transactions] })).toEqual(new Date(at(3)));
});
