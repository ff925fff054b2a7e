import { orderLabels } from '../../../orders/facts/to-order-state.ts';
import { texts } from '../../texts/texts.ts';

/** The parameters in the address that filter the list. */
export const FILTERS = ['state', 'hold', 'search', 'since', 'until', 'sort'] as const;
export type Filter = (typeof FILTERS)[number];
/** The longest search that the API accepts. */
export const MAX_SEARCH_LENGTH = 100;
const MAX_HOLD_LENGTH = 60;
const DAY = /^\d{4}-\d{2}-\d{2}/;

/** The filters in the address. */
export interface ReadFilters {
  all: URLSearchParams;
  /** The filters that the list applies. Filters that the API would reject are omitted, so that the list still loads. */
  applied: URLSearchParams;
  /** The error messages for the fields of the other filters. */
  faults: Partial<Record<Filter, string>>;
}

export function readFilters(query: URLSearchParams): ReadFilters {
  const all = new URLSearchParams(FILTERS.flatMap((name) => (query.get(name) ? [[name, query.get(name) ?? '']] : [])));
  const faults = findFaults(all);
  const applied = new URLSearchParams([...all].filter(([name]) => !(name in faults)));
  return { all, applied, faults };
}

function findFaults(filters: URLSearchParams): ReadFilters['faults'] {
  const valueOf = (name: Filter): string => filters.get(name) ?? '';
  const [since, until] = [valueOf('since'), valueOf('until')];
  const { searchTooLong, notADay, notBefore, notKnown } = texts.orders.faults;
  const isBefore = isDay(since) && isDay(until) && until.slice(0, 10) < since.slice(0, 10);
  return {
    ...(!['', ...orderLabels].includes(valueOf('state')) && { state: notKnown }),
    ...(valueOf('hold').length > MAX_HOLD_LENGTH && { hold: notKnown }),
    ...(valueOf('search').length > MAX_SEARCH_LENGTH && { search: searchTooLong(MAX_SEARCH_LENGTH) }),
    ...(since !== '' && !isDay(since) && { since: notADay }),
    ...(until !== '' && !isDay(until) && { until: notADay }),
    ...(isBefore && { until: notBefore }),
    ...(!['', 'newest', 'oldest'].includes(valueOf('sort')) && { sort: notKnown }),
  };
}

/** Whether a text is a day such as 2026-11-21, or a time on a day. */
function isDay(text: string): boolean {
  return DAY.test(text) && !Number.isNaN(Date.parse(text));
}
