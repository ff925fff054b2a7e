/** What one request holds of the budget. */
interface BodyShare {
  /** Takes further bytes; false: there is no room, and the share is given back. */
  add(bytes: number): boolean;
  /** The body is whole: from now on the share is not taken away. */
  keep(): void;
  /** Gives everything back. Safe to repeat. */
  release(): void;
}

/**
 * The bytes of bodies that a process holds, of all requests together. When they become too many, the request that has been sending for
 * the longest time loses its share: honest senders need milliseconds, and those who send slowly on purpose pay first.
 */
export interface BodyBudget {
  /** `evict` is called once, when the share is taken away. */
  open(evict: () => void): BodyShare;
}

export function createBodyBudget(mostBytes: number): BodyBudget {
  /** Those that are still being sent, the oldest first. */
  const sending = new Set<{ bytes: number; evict: () => void }>();
  let held = 0;
  return {
    open(evict) {
      const own = { bytes: 0, evict };
      let isReleased = false;
      sending.add(own);
      function release(): void {
        if (isReleased) return;
        isReleased = true;
        sending.delete(own);
        held -= own.bytes;
      }
      own.evict = () => {
        release();
        evict();
      };
      return {
        add(bytes) {
          if (isReleased) return false;
          own.bytes += bytes;
          held += bytes;
          while (held > mostBytes && !isReleased) {
            const [oldest = own] = sending;
            oldest.evict();
          }
          return !isReleased;
        },
        keep: () => void sending.delete(own),
        release,
      };
    },
  };
}
