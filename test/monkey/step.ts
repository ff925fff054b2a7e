import type { ChaosRandom } from '../chaos/random.ts';
import type { Scene } from './scene.ts';

/** One thing that somebody does, or that happens. */
export interface Step {
  /** In readable words. */
  words: string;
  /** Does it; throws Refused where it is not possible now. Returns a word on what came of it. */
  act: (scene: Scene) => Promise<string | void>;
}

/** A kind of step, and how often it comes beside the others. */
export interface Move {
  weight: number;
  draw: (random: ChaosRandom) => Step;
}
