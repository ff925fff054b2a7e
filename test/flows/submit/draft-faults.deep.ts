import { describe } from 'vitest';
import { testUnderFaults } from './under-faults.ts';

describe('orders created as drafts, under faults', () => {
  // With drafts, no order needs to be held.
  testUnderFaults({ settings: { submit: 'draft' }, orders: 60, mayBeHeld: 0 });
});
