import { useEffect, useState } from 'preact/hooks';
import { texts } from '../../texts/texts.ts';
import { setFilter } from './view-filters.ts';

const TYPING_MS = 300;
export const EVENT_FILTERS = ['order', 'source', 'result'] as const;
const SOURCES = ['shopify', 'print'] as const;
const RESULTS = ['handled', 'waiting', 'ignored', 'failed'] as const;

/** The filters of webhooks and events. The address contains their values. */
export function EventFilters({ filters }: { filters: URLSearchParams }) {
  const current = filters.get('order') ?? '';
  const [order, setOrder] = useState(current);
  const set = (name: (typeof EVENT_FILTERS)[number], value: string): void =>
    setFilter('events', EVENT_FILTERS, [name, value]);
  // The address also changes through links and the browser's history.
  useEffect(() => setOrder(current), [current]);
  useEffect(() => {
    if (order === current) return undefined;
    const timer = setTimeout(() => set('order', order), TYPING_MS);
    return () => clearTimeout(timer);
  }, [order]);
  return (
    <s-box padding="base">
      <s-query-container>
        <s-grid
          gridTemplateColumns="@container (inline-size > 700px) 2fr 1fr 1fr, 1fr"
          gap="small-100"
          alignItems="end"
        >
          <s-search-field
            label={texts.activity.order}
            placeholder={texts.activity.orderHint}
            value={order}
            maxLength={100}
            onInput={(event) => setOrder(event.currentTarget.value)}
          />
          <s-select
            label={texts.activity.source}
            value={filters.get('source') ?? ''}
            onChange={(event) => set('source', event.currentTarget.value)}
          >
            <s-option value="">{texts.activity.allSources}</s-option>
            {SOURCES.map((source) => (
              <s-option key={source} value={source}>
                {texts.activity.sources[source]}
              </s-option>
            ))}
          </s-select>
          <s-select
            label={texts.activity.result}
            value={filters.get('result') ?? ''}
            onChange={(event) => set('result', event.currentTarget.value)}
          >
            <s-option value="">{texts.activity.allResults}</s-option>
            {RESULTS.map((result) => (
              <s-option key={result} value={result}>
                {texts.activity.results[result]}
              </s-option>
            ))}
          </s-select>
        </s-grid>
      </s-query-container>
    </s-box>
  );
}
