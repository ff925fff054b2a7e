import { expect, test } from 'vitest';
import { decideLocation } from '../../../src/products/location/decide-location.ts';

const yes = true;
const no = false;

test.each([
  { isWanted: yes, isStocked: no, isOurs: no, hasRates: yes, mayStock: yes, wasTaken: no, step: 'stock' },
  { isWanted: yes, isStocked: no, isOurs: yes, hasRates: yes, mayStock: yes, wasTaken: no, step: 'stock' },
  { isWanted: yes, isStocked: no, isOurs: no, hasRates: no, mayStock: yes, wasTaken: no, step: 'no_rates' },
  { isWanted: yes, isStocked: yes, isOurs: no, hasRates: no, mayStock: yes, wasTaken: no, step: 'nothing' },
  { isWanted: yes, isStocked: yes, isOurs: yes, hasRates: yes, mayStock: yes, wasTaken: no, step: 'nothing' },
  { isWanted: no, isStocked: yes, isOurs: yes, hasRates: yes, mayStock: yes, wasTaken: no, step: 'unstock' },
  { isWanted: no, isStocked: yes, isOurs: no, hasRates: yes, mayStock: yes, wasTaken: no, step: 'nothing' },
  { isWanted: no, isStocked: no, isOurs: yes, hasRates: yes, mayStock: yes, wasTaken: no, step: 'forget' },
  { isWanted: no, isStocked: no, isOurs: no, hasRates: no, mayStock: yes, wasTaken: no, step: 'nothing' },
  { isWanted: yes, isStocked: no, isOurs: no, hasRates: yes, mayStock: no, wasTaken: no, step: 'no_permission' },
  { isWanted: yes, isStocked: yes, isOurs: yes, hasRates: yes, mayStock: no, wasTaken: no, step: 'nothing' },
  { isWanted: no, isStocked: yes, isOurs: yes, hasRates: yes, mayStock: no, wasTaken: no, step: 'unstock' },
  { isWanted: yes, isStocked: no, isOurs: yes, hasRates: yes, mayStock: yes, wasTaken: yes, step: 'taken_away' },
  { isWanted: yes, isStocked: yes, isOurs: no, hasRates: yes, mayStock: yes, wasTaken: yes, step: 'nothing' },
  { isWanted: no, isStocked: no, isOurs: yes, hasRates: yes, mayStock: yes, wasTaken: yes, step: 'forget' },
])(
  'wanted $isWanted, stocked $isStocked, ours $isOurs, rates $hasRates, may $mayStock, taken $wasTaken: $step',
  ({ step, ...facts }) => {
    expect(decideLocation(facts)).toBe(step);
  },
);
