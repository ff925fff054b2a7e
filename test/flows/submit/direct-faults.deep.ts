import { describe } from 'vitest';
import { testOrdersUnderFaults } from './test-orders-under-faults.ts';

describe('orders that are created directly while faults occur', () => {
  // An order whose response is lost twice is held until someone decides.
  testOrdersUnderFaults({ settings: { submit: 'direct' }, orders: 60, mayBeHeld: 3 });
});
