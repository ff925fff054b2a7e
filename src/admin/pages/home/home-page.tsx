import { useEffect } from 'preact/hooks';
import type { Boot } from '../../../http/pages/admin/boot.ts';
import type { HomeData } from '../../../http/pages/admin/read-home.ts';
import { formatTime } from '../../format.ts';
import { PageState } from '../../parts/page-state.tsx';
import { texts } from '../../texts/texts.ts';
import { useData } from '../../use-data.ts';
import { AttentionSection } from './attention-section.tsx';
import { ConnectionRows, toConnectionRows } from './connection-rows.tsx';
import { CostsChart } from './costs-chart.tsx';
import { Guide } from './guide.tsx';
import { ShopifyMetrics } from './shopify-metrics.tsx';
import { OrdersChart } from './orders-chart.tsx';
import { StepTimes } from './step-times.tsx';
import { WaitingSection } from './waiting-section.tsx';

const REFRESH_SECONDS = 30;
/** After the merchant grants a permission, Shopify's webhook about it takes a moment to arrive. */
const REFRESH_SECONDS_WITHOUT_PERMISSION = 3;

/** The home page: problems that need attention, the progress of the orders, and the state of both connections. */
export function HomePage({ boot }: { boot: Boot }) {
  const loaded = useData<HomeData>('/api/home', {
    initial: boot.home,
    refreshSeconds: (home) =>
      home?.connections.settingsWithoutScope.length ? REFRESH_SECONDS_WITHOUT_PERMISSION : REFRESH_SECONDS,
  });
  // Later visits to this page must not start with the data that the first document contained.
  useEffect(() => {
    boot.home = null;
  }, []);
  return (
    <s-page heading={texts.home.title}>
      <PageState loaded={loaded} rows={12}>
        {(home) => <Home home={home} reload={loaded.reload} />}
      </PageState>
    </s-page>
  );
}

function Home({ home, reload }: { home: HomeData; reload: () => Promise<void> }) {
  const rows = toConnectionRows(home, reload);
  const goodRows = rows.filter(({ mark }) => mark === 'good');
  return (
    <>
      {home.quietUntil !== null && (
        <s-banner tone="info" heading={texts.home.paused}>
          <s-paragraph>{texts.home.pausedText(formatTime(home.quietUntil))}</s-paragraph>
        </s-banner>
      )}
      {home.quietUntil === null && home.rebuild !== null && (
        <s-banner tone="info" heading={texts.home.rebuilding}>
          <s-paragraph>{texts.home.rebuildingText(home.rebuild)}</s-paragraph>
        </s-banner>
      )}
      <Guide guide={home.guide} reload={reload} />
      <AttentionSection home={home} problems={rows.filter((row) => !goodRows.includes(row))} reload={reload} />
      <s-section heading={texts.home.ordersChart}>
        <OrdersChart days={home.days} />
      </s-section>
      <s-section heading={texts.home.times} subheading={texts.home.timesText}>
        <s-query-container>
          <s-grid gridTemplateColumns="@container (inline-size > 700px) 1fr 1fr, 1fr" gap="base">
            <StepTimes name={texts.home.toPrint} step="toPrint" home={home} />
            <StepTimes name={texts.home.toShipment} step="toShipment" home={home} />
          </s-grid>
        </s-query-container>
      </s-section>
      <s-section heading={texts.home.costsChart} subheading={texts.home.costsText}>
        <CostsChart />
      </s-section>
      {home.waiting.total > 0 && <WaitingSection waiting={home.waiting} reload={reload} />}
      <s-section heading={texts.home.meters} subheading={texts.home.metersText}>
        <ShopifyMetrics home={home} />
      </s-section>
      <s-section heading={texts.home.connections}>
        <ConnectionRows rows={goodRows} />
        <s-link href="/activity">{texts.home.seeActivity}</s-link>
      </s-section>
    </>
  );
}
