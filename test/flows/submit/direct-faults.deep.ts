import { describe } from 'vitest';
import { testUnderFaults } from './under-faults.ts';

describe('orders created directly, under faults', () => {
  // An order whose response is lost twice is held for someone to decide.
  testUnderFaults({ settings: { submit: 'direct' }, orders: 60, mayBeHeld: 3 });
});
