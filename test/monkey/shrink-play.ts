/**
 * Finds the smallest subset of `steps` (numbered from 1) that still fails, in at most `triesAtMost` attempts. Drops halves first, then
 * smaller parts, then single steps.
 */
export async function shrinkPlay(
  steps: readonly number[],
  triesAtMost: number,
  fails: (only: readonly number[]) => Promise<boolean>,
): Promise<number[]> {
  let tries = 0;
  const stillFails = async (only: readonly number[]): Promise<boolean> => {
    tries += 1;
    return fails(only);
  };
  let kept = [...steps];
  for (let size = Math.ceil(kept.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let end = kept.length; end > 0 && tries < triesAtMost; end -= size) {
      const start = Math.max(0, end - size);
      const fewer = [...kept.slice(0, start), ...kept.slice(end)];
      if (fewer.length < kept.length && (await stillFails(fewer))) kept = fewer;
    }
  }
  return kept;
}
