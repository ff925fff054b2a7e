import { LRUCache } from 'lru-cache';
import type { Clock } from '../../clock.ts';

/** The limits for one key, which is a shop or an unknown sender's IP address. */
export interface Rule {
  /** Maximum number of simultaneous requests. */
  atOnce: number;
  /** Maximum number of requests in quick succession after a pause. */
  burst: number;
  /** Maximum average number of requests per second. */
  perSecond: number;
  /** Maximum number of bytes received and sent per day. If absent, bytes are not counted. */
  bytesPerDay?: number;
}

export interface Limiter {
  /**
   * Admits a request and returns null, or returns the number of seconds to wait before a retry. An admitted request must call `leave`
   * once.
   */
  enter: (key: string) => number | null;
  leave: (key: string, bytes: number) => void;
}

interface Allowance {
  running: number;
  requests: number;
  bytes: number;
  /** When `requests` and `bytes` were last refilled. */
  at: number;
}

const DAY_SECONDS = 86_400;
/** A key that has used up its bytes waits at most an hour. */
const MAX_WAIT_SECONDS = 3_600;
const MAX_KEYS = 10_000;

/** Creates a limiter in the process's memory. The least recently used keys are forgotten. */
export function createLimiter({ ticks }: Pick<Clock, 'ticks'>, rule: Rule): Limiter {
  const { atOnce, burst, perSecond, bytesPerDay = Infinity } = rule;
  let opened: LRUCache<string, Allowance> | null = null;
  /** The cache takes all its memory at once, and most processes never use most limits. */
  const openAccounts = (): LRUCache<string, Allowance> => (opened ??= new LRUCache({ max: MAX_KEYS }));

  /** Returns a key's account, refilled for the time that has passed since its last refill. */
  function refillAllowance(key: string): Allowance {
    const at = ticks() / 1000;
    const accounts = openAccounts();
    const account = accounts.get(key) ?? { running: 0, requests: burst, bytes: bytesPerDay, at };
    const seconds = at - account.at;
    account.requests = Math.min(burst, account.requests + seconds * perSecond);
    account.bytes = Math.min(bytesPerDay, account.bytes + (seconds * bytesPerDay) / DAY_SECONDS);
    account.at = at;
    accounts.set(key, account);
    return account;
  }

  return {
    enter(key) {
      const account = refillAllowance(key);
      if (account.bytes <= 0) return Math.min(MAX_WAIT_SECONDS, ((1 - account.bytes) * DAY_SECONDS) / bytesPerDay);
      if (account.requests < 1) return (1 - account.requests) / perSecond;
      if (account.running >= atOnce) return 1;
      account.requests -= 1;
      account.running += 1;
      return null;
    },
    leave(key, bytes) {
      const account = refillAllowance(key);
      account.running = Math.max(0, account.running - 1);
      account.bytes -= bytes;
    },
  };
}
