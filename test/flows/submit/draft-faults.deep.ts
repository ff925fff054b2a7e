import { describe } from 'vitest';
import { testUnderFaults } from './under-faults.ts';

describe('under faults, with drafts', () => {
  // With drafts, no order needs to be held.
  testUnderFaults({ settings: { submit: 'draft' }, orders: 60, mayBeHeld: 0 });
});
