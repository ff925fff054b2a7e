import type { ChaosRandom } from '../../chaos/orders/random.ts';
import type { Scene } from '../scene.ts';

/** An action or event in a play. */
export interface Step {
  /** A readable description of the step. */
  words: string;
  /** Performs the step and may return a description of the result. Throws Refused if the step is currently impossible. */
  act: (scene: Scene) => Promise<string | void>;
}

/** A kind of step, and how often it occurs relative to the others. */
export interface Move {
  weight: number;
  draw: (random: ChaosRandom) => Step;
}
