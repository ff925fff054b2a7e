import { describe } from 'vitest';
import { testOrdersUnderFaults } from './test-orders-under-faults.ts';

describe('orders that are created as drafts while requests fail', () => {
  // Orders that are created as drafts never need a hold.
  testOrdersUnderFaults({ settings: { submit: 'draft' }, orders: 60, mayBeHeld: 0 });
});
