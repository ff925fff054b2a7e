import { currentTraits } from './current/traits-current.ts';
import { v1Traits, v2Traits } from './legacy/traits-legacy.ts';
import type { PrintInterface } from './port.ts';
import type { InterfaceTraits } from './traits.ts';

const TRAITS: Record<PrintInterface, InterfaceTraits> = { current: currentTraits, v2: v2Traits, v1: v1Traits };

export function getTraits(printInterface: PrintInterface): InterfaceTraits {
  return TRAITS[printInterface];
}
