import { expect, test } from 'vitest';
import { planPlay, WAYS, type WayName } from './plan-play.ts';
import { playOrder } from './play-order.ts';
import { playConcurrently } from './play-concurrently.ts';

/** To play other sequences, set another seed: `PLATEN_MONKEY_SEED=7 npm run test:deep -- test/monkey`. */
const SEED = Number(process.env['PLATEN_MONKEY_SEED'] ?? 1);
const STEPS = 8;
const ORDERS = 2;
const TOGETHER = 4;

test.each(Object.keys(WAYS) as WayName[])(
  'despite faults and changes, each unit of an order sent with "%s" is printed once, and the order never waits without a reason',
  async (way) => {
    for (let index = 0; index < ORDERS; index += 1) {
      const { findings, story } = await playOrder(planPlay(SEED, index, { steps: STEPS, ways: [way] }));
      const again = `npm run monkey -- --seed ${SEED} --steps ${STEPS} --way ${way} --order ${index}`;
      expect(findings, `${story.join('\n')}\n${again}`).toEqual([]);
    }
  },
);

test('despite faults and changes, each unit of several simultaneous orders is printed once, and no order waits without a reason', async () => {
  const ways: WayName[] = ['draft'];
  const plays = Array.from({ length: TOGETHER }, (_, index) => planPlay(SEED, index, { steps: STEPS, ways }));
  const { findings, story } = await playConcurrently(plays, { seed: SEED });
  expect(findings, story.join('\n')).toEqual([]);
});
