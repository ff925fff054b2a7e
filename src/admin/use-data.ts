import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { ApiError, callApi, onUncertainRequest } from './api.ts';

/** The data of a page: null while loading, then the latest response. After an error, the earlier data stays. */
export interface Loaded<Data> {
  data: Data | null;
  error: ApiError | null;
  reload: () => Promise<void>;
}

/** The number of seconds after which the data is reloaded, or a function that derives it from the data. 0: never. */
export type RefreshSeconds<Data> = number | ((data: Data | null) => number);

/** Loads data from the API, and reloads it every `refreshSeconds` while the page is visible. If `path` is null, loads nothing. */
export function useData<Data>(
  path: string | null,
  { initial = null, refreshSeconds = 0 }: { initial?: Data | null; refreshSeconds?: RefreshSeconds<Data> } = {},
): Loaded<Data> {
  const [state, setState] = useState<{ path: string | null; data: Data | null; error: ApiError | null }>({
    path,
    data: initial,
    error: null,
  });
  // Ignores a response if the path has changed or a later request has been sent.
  const latest = useRef(0);
  const running = useRef(0);
  const reload = useCallback(async () => {
    if (path === null) return;
    latest.current += 1;
    running.current += 1;
    const request = latest.current;
    try {
      const data = await callApi<Data>('GET', path);
      if (request === latest.current) setState({ path, data, error: null });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (request === latest.current)
        setState((before) => ({ path, data: before.path === path ? before.data : null, error }));
    } finally {
      running.current -= 1;
    }
  }, [path]);
  const isCurrent = state.path === path;
  const data = isCurrent ? state.data : null;
  const seconds = typeof refreshSeconds === 'number' ? refreshSeconds : refreshSeconds(data);
  useEffect(() => {
    if (initial === null || state.path !== path) void reload();
    // Skips a poll while a request is still running, so that requests do not pile up.
    const refresh = (): void => void (document.visibilityState === 'visible' && running.current === 0 && reload());
    const timer = seconds > 0 ? setInterval(refresh, seconds * 1000) : undefined;
    window.addEventListener('online', refresh);
    document.addEventListener('visibilitychange', refresh);
    // Reloads even while a request is running, because that request may have read the data before the change.
    const unsubscribe = onUncertainRequest(() => void reload());
    return () => {
      unsubscribe();
      clearInterval(timer);
      window.removeEventListener('online', refresh);
      document.removeEventListener('visibilitychange', refresh);
    };
  }, [reload, seconds]);
  return { data, error: isCurrent ? state.error : null, reload };
}
