/** One request's share of the budget. */
interface BodyShare {
  /** Adds bytes. Returns false if there is no space left and the share was released. */
  add(bytes: number): boolean;
  /** Marks the body as complete. From now on, the share cannot be evicted. */
  keep(): void;
  /** Releases the whole share. Safe to call repeatedly. */
  release(): void;
}

/**
 * Limits the bytes of request bodies that a process holds in memory. Over the limit, the request that has been sending for the longest
 * time loses its share. Honest senders need only milliseconds, so the limit first affects senders who are slow on purpose.
 */
export interface BodyBudget {
  /** Opens a share. `evict` is called once if the share is evicted. */
  open(evict: () => void): BodyShare;
}

export function createBodyBudget(mostBytes: number): BodyBudget {
  /** Bodies that are still being sent, oldest first. */
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
