import type { HomeData } from '../../../http/pages/admin/read-home.ts';
import { formatMilliseconds, formatPercent } from '../../format.ts';
import { texts } from '../../texts/texts.ts';

type Meter = HomeData['meters'][number];

const MARKS = {
  met: { icon: 'check-circle', tone: 'success' },
  missed: { icon: 'alert-triangle', tone: 'critical' },
  empty: { icon: 'circle-dashed', tone: 'neutral' },
} as const;

/** The metrics by which Shopify judges fulfillment apps, each with Shopify's minimum. */
export function ShopifyMetrics({ home: { meters, ratesWithinMs } }: { home: HomeData }) {
  return (
    <s-query-container>
      <s-grid gridTemplateColumns="@container (inline-size > 700px) 1fr 1fr, 1fr" gap="base">
        {meters.map((meter) => (
          <MetricSection
            key={meter.name}
            meter={meter}
            more={meter.name === 'fastRates' ? describeRatesDuration(ratesWithinMs) : ''}
          />
        ))}
      </s-grid>
    </s-query-container>
  );
}

function MetricSection({
  meter: { name, counted, passed, percent, target, isMet },
  more,
}: {
  meter: Meter;
  more: string;
}) {
  const state = isMet === null ? 'empty' : isMet ? 'met' : 'missed';
  const { icon, tone } = MARKS[state];
  const minimum = texts.home.minimum(formatPercent(target));
  return (
    <s-stack gap="small-300">
      <s-heading>{texts.home.meterNames[name]}</s-heading>
      <s-stack direction="inline" gap="small-100" alignItems="center">
        <s-icon type={icon} tone={tone} />
        {percent !== null && <s-text type="strong">{formatPercent(percent)}</s-text>}
        <s-badge tone={tone}>{texts.home.meterStates[state]}</s-badge>
      </s-stack>
      <s-paragraph color="subdued">
        {counted === 0 ? minimum : `${texts.home.passed(passed, counted)} ${minimum} ${more}`.trim()}
      </s-paragraph>
    </s-stack>
  );
}

function describeRatesDuration(milliseconds: number | null): string {
  return milliseconds === null ? texts.home.ratesSlow : texts.home.ratesWithin(formatMilliseconds(milliseconds));
}
