import { LRUCache } from 'lru-cache';

/** What one key may do: a shop, or an address that strangers come from. */
export interface Rule {
  /** Requests that are answered at the same time. */
  atOnce: number;
  /** Requests in a row after a rest. */
  burst: number;
  /** Requests in the long run. */
  perSecond: number;
  /** Bytes received and sent; left out: not counted. */
  bytesPerDay?: number;
}

export interface Limiter {
  /** Lets a request in, which must `leave` once; or says after how many seconds to try again. */
  enter: (key: string) => number | null;
  leave: (key: string, bytes: number) => void;
}

interface Account {
  running: number;
  requests: number;
  bytes: number;
  /** When the two were counted. */
  at: number;
}

const DAY_SECONDS = 86_400;
/** A key that has used up its day may ask again every hour. */
const LONGEST_SECONDS = 3_600;
const MOST_KEYS = 10_000;

/** Counts in memory, by the seconds of `now`, for each process on its own. It forgets the keys that rested for the longest time. */
export function createLimiter(rule: Rule, now: () => number = () => performance.now() / 1000): Limiter {
  const { atOnce, burst, perSecond, bytesPerDay = Infinity } = rule;
  const accounts = new LRUCache<string, Account>({ max: MOST_KEYS });

  /** The account of a key, refilled for the time since it was last counted. */
  function accountOf(key: string): Account {
    const at = now();
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
      const account = accountOf(key);
      if (account.bytes <= 0) return Math.min(LONGEST_SECONDS, ((1 - account.bytes) * DAY_SECONDS) / bytesPerDay);
      if (account.requests < 1) return (1 - account.requests) / perSecond;
      if (account.running >= atOnce) return 1;
      account.requests -= 1;
      account.running += 1;
      return null;
    },
    leave(key, bytes) {
      const account = accountOf(key);
      account.running = Math.max(0, account.running - 1);
      account.bytes -= bytes;
    },
  };
}
