/** Runs work, and returns the CPU time in milliseconds of each slice between two turns of other work. */
export async function measureSlices(work: () => Promise<unknown>): Promise<number[]> {
  const slices: number[] = [];
  let before = process.threadCpuUsage();
  const turn = setInterval(() => {
    const { user } = process.threadCpuUsage(before);
    slices.push(user / 1000);
    before = process.threadCpuUsage();
  }, 0);
  await work();
  await new Promise((resolve) => void setImmediate(resolve));
  clearInterval(turn);
  return slices;
}
