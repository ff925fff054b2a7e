import { describe } from 'vitest';
import { testUnderFaults } from './under-faults.ts';

describe.each(['v2', 'v1'] as const)('orders through interface %s while requests fail', (printInterface) => {
  testUnderFaults({ settings: { printInterface }, orders: 40, mayBeHeld: 3 });
});
