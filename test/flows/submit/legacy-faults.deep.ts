import { describe } from 'vitest';
import { testOrdersUnderFaults } from './test-orders-under-faults.ts';

describe.each(['v2', 'v1'] as const)('orders through interface %s while requests fail', (printInterface) => {
  testOrdersUnderFaults({ settings: { printInterface }, orders: 40, mayBeHeld: 3 });
});
