import type { HomeData } from '../../../http/pages/admin/read-home.ts';
import { formatDuration } from '../../format.ts';
import { texts } from '../../texts/texts.ts';
import { DayChart } from './day-chart.tsx';

/** The median and the 95th percentile of a step's duration, for each day and in total. */
export function StepTimes({ name, step, home }: { name: string; step: 'toPrint' | 'toShipment'; home: HomeData }) {
  const total = home.times[step];
  const byDay = new Map(home.times.days.map((day) => [day.day, day[step]]));
  return (
    <s-stack gap="small-300">
      <s-heading>{name}</s-heading>
      {total !== null && (
        <>
          <s-paragraph>
            {texts.home.median}: {formatDuration(total.median)}
          </s-paragraph>
          <s-paragraph color="subdued">
            {texts.home.p95}: {formatDuration(total.p95)}
          </s-paragraph>
        </>
      )}
      <DayChart
        label={texts.home.timesChartLabel(name)}
        empty={texts.home.noTimes}
        series={[
          { key: 'median', name: texts.home.median, mark: 'series-median' },
          { key: 'p95', name: texts.home.p95, mark: 'series-p95' },
        ]}
        days={home.days.map(({ day }) => {
          const { median = 0, p95 = 0 } = byDay.get(day) ?? {};
          // The bar of the 95th percentile is stacked on the bar of the median, so its height is the difference.
          return { day, values: { median, p95: p95 - median }, named: { median, p95 } };
        })}
        format={formatDuration}
      />
    </s-stack>
  );
}
