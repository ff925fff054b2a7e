import { describe } from 'vitest';
import { testUnderFaults } from './under-faults.ts';

describe('under faults, by way of drafts', () => {
  // A draft is never left to a person.
  testUnderFaults({ settings: { submit: 'draft' }, orders: 60, mayBeHeld: 0 });
});
