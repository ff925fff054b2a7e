import type { ChaosRandom } from '../../chaos/orders/random.ts';
import type { Scene } from '../scene.ts';

/** An action or event in a play. */
export interface Step {
  /** A readable description. */
  words: string;
  /** Performs the step and may describe the result. Throws Refused if it is impossible now. */
  act: (scene: Scene) => Promise<string | void>;
}

/** A kind of step and its relative frequency. */
export interface Move {
  weight: number;
  draw: (random: ChaosRandom) => Step;
}
