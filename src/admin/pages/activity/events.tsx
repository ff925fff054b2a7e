import type { ListedDeliveriesPage, ListedDelivery } from '../../../inbox/list-deliveries.ts';
import { toNumericId, formatMilliseconds, formatTime } from '../../format.ts';
import { PageState } from '../../parts/page-state.tsx';
import { usePages } from '../../use-pages.ts';
import { texts } from '../../texts/texts.ts';
import { toViewHref, readFilters } from './view-filters.ts';
import { EVENT_FILTERS, EventFilters } from './event-filters.tsx';

const REFRESH_SECONDS = 10;
const TONES = { handled: 'success', waiting: 'info', ignored: 'neutral', failed: 'critical' } as const;

/** The webhooks of the store and the events of the print service. */
export function Events() {
  const filters = readFilters(EVENT_FILTERS);
  const { loaded, pages } = usePages<ListedDeliveriesPage>(`/api/activity?${filters.toString()}`, {
    refreshSeconds: REFRESH_SECONDS,
  });
  return (
    <s-section padding="none" heading={texts.activity.events} subheading={texts.activity.eventsText}>
      <EventFilters filters={filters} />
      <PageState loaded={loaded} rows={10}>
        {({ deliveries }) =>
          deliveries.length === 0 ? (
            <Empty isFiltered={filters.size > 0} />
          ) : (
            <s-table {...pages}>
              <s-table-header-row>
                <s-table-header listSlot="primary">{texts.activity.topic}</s-table-header>
                <s-table-header>{texts.activity.received}</s-table-header>
                <s-table-header>{texts.activity.source}</s-table-header>
                <s-table-header>{texts.activity.order}</s-table-header>
                <s-table-header listSlot="inline">{texts.activity.result}</s-table-header>
                <s-table-header>{texts.activity.duration}</s-table-header>
              </s-table-header-row>
              <s-table-body>
                {deliveries.map((delivery) => (
                  <DeliveryRow key={delivery.id} delivery={delivery} />
                ))}
              </s-table-body>
            </s-table>
          )
        }
      </PageState>
    </s-section>
  );
}

function DeliveryRow({ delivery }: { delivery: ListedDelivery }) {
  const { topic, receivedAt, source, order, result, milliseconds } = delivery;
  const reasonText = toReason(delivery);
  return (
    <s-table-row>
      <s-table-cell>{topic}</s-table-cell>
      <s-table-cell>{formatTime(receivedAt)}</s-table-cell>
      <s-table-cell>{texts.activity.sources[source]}</s-table-cell>
      <s-table-cell>
        {order === null ? (
          <s-text color="subdued">{texts.activity.unknownOrder}</s-text>
        ) : (
          <s-link href={`/orders/${toNumericId(order.orderId)}`}>{order.name || toNumericId(order.orderId)}</s-link>
        )}
      </s-table-cell>
      <s-table-cell>
        <s-badge tone={TONES[result]}>{texts.activity.results[result]}</s-badge>
        {reasonText !== null && <s-paragraph color="subdued">{reasonText}</s-paragraph>}
      </s-table-cell>
      <s-table-cell>
        {milliseconds === null ? '–' : milliseconds === 0 ? texts.activity.onArrival : formatMilliseconds(milliseconds)}
      </s-table-cell>
    </s-table-row>
  );
}

function toReason({ result, reason, nextAt }: ListedDelivery): string | null {
  if (result === 'waiting')
    return nextAt === null ? texts.activity.waitingText : texts.home.nextTry(formatTime(nextAt));
  if (result === 'ignored' && reason !== null)
    return texts.activity.reasons[reason] ?? texts.activity.otherReason(reason);
  if (result !== 'failed') return null;
  if (nextAt === null) return texts.activity.failedForGoodText;
  return `${texts.activity.failedText} ${texts.home.nextTry(formatTime(nextAt))}`;
}

function Empty({ isFiltered }: { isFiltered: boolean }) {
  return (
    <s-empty-state heading={isFiltered ? texts.activity.noMatch : texts.activity.noEvents}>
      <s-paragraph slot="subheading">
        {isFiltered ? texts.activity.changeFilters : texts.activity.noEventsText}
      </s-paragraph>
      {isFiltered && (
        <s-button slot="primary-action" href={toViewHref('events')}>
          {texts.activity.clear}
        </s-button>
      )}
    </s-empty-state>
  );
}
