import { describe } from 'vitest';
import { testUnderFaults } from './under-faults.ts';

describe('orders that are created directly while faults occur', () => {
  // An order whose response is lost twice is held until someone decides.
  testUnderFaults({ settings: { submit: 'direct' }, orders: 60, mayBeHeld: 3 });
});
