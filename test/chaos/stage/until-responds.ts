import { setTimeout as delay } from 'node:timers/promises';

const MAX_ANSWER_MS = 90_000;

/** Waits until the address returns a 2xx. Rejects after 90 seconds, or when `signal` is aborted. */
export async function untilResponds(url: string, signal: AbortSignal): Promise<void> {
  const deadline = Date.now() + MAX_ANSWER_MS;
  while (Date.now() < deadline) {
    signal.throwIfAborted();
    if (await answers(url)) return;
    await delay(100);
  }
  throw new Error(`${url} did not return a 2xx within ${MAX_ANSWER_MS / 1000} s.`);
}

async function answers(url: string): Promise<boolean> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(5_000) });
    await answer.body?.cancel();
    return answer.ok;
  } catch {
    return false;
  }
}
