import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { FoundProducts } from '../../../products/catalog/search-catalog.ts';
import { ApiError, callApi } from '../../api.ts';
import type { Loaded } from '../../use-data.ts';

const PAGE_SIZE = 10;

/** The value that products must have for each attribute. An empty value matches any. */
export type CatalogFilters = Record<string, string>;

/** Searches a catalog whenever the filters or the page change. The last result stays until the next one arrives. */
export function useCatalogSearch(catalogUid: string, filters: CatalogFilters, offset: number): Loaded<FoundProducts> {
  const [state, setState] = useState<{ data: FoundProducts | null; error: ApiError | null }>({
    data: null,
    error: null,
  });
  // The number of the latest request. Responses to earlier requests are ignored.
  const latest = useRef(0);
  const reload = useCallback(async () => {
    latest.current += 1;
    const request = latest.current;
    const attributeFilters = Object.fromEntries(
      Object.entries(filters).flatMap(([uid, value]) => (value === '' ? [] : [[uid, [value]]])),
    );
    try {
      const path = `/api/catalog/${encodeURIComponent(catalogUid)}/products`;
      const data = await callApi<FoundProducts>(
        'POST',
        path,
        { attributeFilters, limit: PAGE_SIZE, offset },
        { isReadOnlyRequest: true },
      );
      if (request === latest.current) setState({ data, error: null });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (request === latest.current) setState(({ data }) => ({ data, error }));
    }
  }, [catalogUid, filters, offset]);
  useEffect(() => void reload(), [reload]);
  return { ...state, reload };
}
