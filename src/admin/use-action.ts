import { useState } from 'preact/hooks';
import { ApiError } from './api.ts';

/** The state of a request that the user started, and functions that run the request and clear its error. */
export interface Action {
  isRunning: boolean;
  /** Why the last run failed, or null. */
  error: ApiError | null;
  /** Clears the error. */
  clear: () => void;
  /** Runs a request. Returns whether it succeeded. */
  run: (request: () => Promise<void>) => Promise<boolean>;
}

/** Runs requests, and stores the error of the last one for the page. */
export function useAction(): Action {
  const [error, setError] = useState<ApiError | null>(null);
  const [isRunning, setRunning] = useState(false);
  const run: Action['run'] = async (request) => {
    setRunning(true);
    setError(null);
    try {
      await request();
      return true;
    } catch (failed) {
      if (!(failed instanceof ApiError)) throw failed;
      setError(failed);
      return false;
    } finally {
      setRunning(false);
    }
  };
  return { isRunning, error, clear: () => setError(null), run };
}
