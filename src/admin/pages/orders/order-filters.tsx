import { useEffect, useState } from 'preact/hooks';
import type { HomeData } from '../../../http/pages/admin/read-home.ts';
import { orderLabels } from '../../../orders/facts/to-order-state.ts';
import { useData } from '../../use-data.ts';
import { navigate, route } from '../../router.ts';
import { toHoldName } from '../../parts/to-hold-name.ts';
import { texts } from '../../texts/texts.ts';
import { FILTERS, MAX_SEARCH_LENGTH, type Filter, type ReadFilters } from './read-filters.ts';

const TYPING_MS = 300;

/** The filters of the order list. The address contains their values. */
export function Filters({ filters: { all: filters, faults } }: { filters: ReadFilters }) {
  const [search, setSearch] = useState(filters.get('search') ?? '');
  // Offers only the hold reasons that currently occur, and the one that is already chosen.
  const home = useData<HomeData>('/api/home');
  const hold = filters.get('hold') ?? '';
  const reasons = [...new Set([...(home.data?.holds.map(({ code }) => code) ?? []), ...(hold === '' ? [] : [hold])])];
  const set = (name: Filter, value: string): void => {
    // Another filter may have changed since this page was rendered.
    const next = new URLSearchParams(
      [...route.value.query].filter(([one]) => FILTERS.some((filter) => filter === one)),
    );
    if (value === '') next.delete(name);
    else next.set(name, value);
    navigate(`/orders?${next}`, { isReplaced: true });
  };
  // The address also changes through views, links and the browser's history.
  useEffect(() => setSearch(filters.get('search') ?? ''), [filters.get('search')]);
  useEffect(() => {
    if (search === (filters.get('search') ?? '')) return undefined;
    const timer = setTimeout(() => set('search', search), TYPING_MS);
    return () => clearTimeout(timer);
  }, [search]);
  return (
    <s-box padding="base">
      <s-query-container>
        <s-grid
          gridTemplateColumns="@container (inline-size > 700px) 2fr 1fr 1fr 1fr 1fr 1fr, 1fr"
          gap="small-100"
          alignItems="end"
        >
          <s-search-field
            label={texts.orders.search}
            placeholder={texts.orders.searchHint}
            value={search}
            maxLength={MAX_SEARCH_LENGTH}
            error={faults.search ?? ''}
            onInput={(event) => setSearch(event.currentTarget.value)}
          />
          <s-select
            label={texts.orders.state}
            value={filters.get('state') ?? ''}
            error={faults.state ?? ''}
            onChange={(event) => set('state', event.currentTarget.value)}
          >
            <s-option value="">{texts.orders.allStates}</s-option>
            {orderLabels.map((state) => (
              <s-option key={state} value={state}>
                {texts.states[state]}
              </s-option>
            ))}
          </s-select>
          <s-select
            label={texts.orders.hold}
            value={hold}
            error={faults.hold ?? ''}
            onChange={(event) => set('hold', event.currentTarget.value)}
          >
            <s-option value="">{texts.orders.allHolds}</s-option>
            {reasons.map((code) => (
              <s-option key={code} value={code}>
                {toHoldName(code)}
              </s-option>
            ))}
          </s-select>
          <s-date-field
            label={texts.orders.since}
            value={filters.get('since') ?? ''}
            error={faults.since ?? ''}
            onChange={(event) => set('since', event.currentTarget.value)}
          />
          <s-date-field
            label={texts.orders.until}
            value={filters.get('until') ?? ''}
            error={faults.until ?? ''}
            onChange={(event) => set('until', event.currentTarget.value)}
          />
          <s-select
            label={texts.orders.sort}
            value={filters.get('sort') ?? 'newest'}
            error={faults.sort ?? ''}
            onChange={(event) => set('sort', event.currentTarget.value)}
          >
            <s-option value="newest">{texts.orders.newest}</s-option>
            <s-option value="oldest">{texts.orders.oldest}</s-option>
          </s-select>
        </s-grid>
      </s-query-container>
    </s-box>
  );
}
