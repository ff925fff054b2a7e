import { describe } from 'vitest';
import { testOrdersUnderFaults } from './test-orders-under-faults.ts';

describe('orders that are created directly while requests fail', () => {
  // An order whose response is lost twice is held until someone decides.
  testOrdersUnderFaults({ settings: { submit: 'direct' }, orders: 60, mayBeHeld: 3 });
});
