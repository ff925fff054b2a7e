import { describe } from 'vitest';
import { testUnderFaults } from './under-faults.ts';

describe('under faults, directly', () => {
  // A body that got no answer twice is a person's to decide.
  testUnderFaults({ settings: { submit: 'direct' }, orders: 60, mayBeHeld: 3 });
});
