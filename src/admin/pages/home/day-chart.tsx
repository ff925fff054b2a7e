import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { formatDate } from '../../format.ts';
import { texts } from '../../texts/texts.ts';

const HEIGHT = 120;
const BAR = 16;
const GAP = 4;
/** The space above and below the bars, so that the highest bar is not cut off. */
const PADDING = 2;

/** One kind of value, with its name and the class of its color. */
interface Series<Key extends string> {
  key: Key;
  name: string;
  mark: string;
}

interface Props<Key extends string> {
  label: string;
  /** The text that is shown instead of the chart if no day has a value. */
  empty: string;
  series: readonly Series<Key>[];
  /** `named`: the values for tooltips and the table, if they differ from the heights of the bars. */
  days: readonly { day: string; values: Partial<Record<Key, number>>; named?: Record<Key, number> }[];
  format: (value: number) => string;
  /** Further content below the legend. */
  children?: ComponentChildren;
}

/** A stacked bar for each day. Negative values are below the line. The same numbers are available as a table. */
export function DayChart<Key extends string>({ label, empty, series, days, format, children }: Props<Key>) {
  const [isTable, setTable] = useState(false);
  const getValue = ({ values }: Props<Key>['days'][number], key: Key): number => values[key] ?? 0;
  const formatValue = (day: Props<Key>['days'][number], key: Key): string =>
    format((day.named ?? day.values)[key] ?? 0);
  const used = days.filter((day) => series.some(({ key }) => getValue(day, key) !== 0));
  if (used.length === 0) return <s-paragraph color="subdued">{empty}</s-paragraph>;
  const sumValues = (day: Props<Key>['days'][number], sign: 1 | -1): number =>
    series.reduce((sum, { key }) => sum + Math.max(0, sign * getValue(day, key)), 0);
  const [above, below] = [1, -1].map((sign) => Math.max(...days.map((day) => sumValues(day, sign === 1 ? 1 : -1))));
  const scale = (HEIGHT - 2 * PADDING) / ((above ?? 0) + (below ?? 0));
  const line = PADDING + (above ?? 0) * scale;
  return (
    <s-stack gap="small">
      <svg
        class="chart"
        role="img"
        aria-label={label}
        viewBox={`0 0 ${days.length * (BAR + GAP)} ${HEIGHT}`}
        preserveAspectRatio="none"
      >
        {days.map((day, index) => {
          let [top, bottom] = [line, line];
          return series.map(({ key, name, mark }) => {
            const value = getValue(day, key);
            const height = Math.abs(value) * scale;
            if (value > 0) top -= height;
            const y = value > 0 ? top : bottom;
            if (value < 0) bottom += height;
            return (
              height > 0 && (
                <rect key={key} class={mark} x={index * (BAR + GAP)} y={y} width={BAR} height={height}>
                  <title>{`${formatDate(day.day)}: ${name} ${formatValue(day, key)}`}</title>
                </rect>
              )
            );
          });
        })}
        {below !== 0 && <line class="chart-line" x1="0" x2="100%" y1={line} y2={line} />}
      </svg>
      <div class="chart-days" aria-hidden="true">
        <span>{formatDate(days[0]?.day ?? '')}</span>
        <span>{formatDate(days.at(-1)?.day ?? '')}</span>
      </div>
      <s-stack direction="inline" gap="small">
        {series
          .filter(({ key }) => used.some((day) => getValue(day, key) !== 0))
          .map(({ key, name, mark }) => (
            <span key={key} class="legend">
              <span class={`swatch ${mark}`} /> {name}
            </span>
          ))}
      </s-stack>
      {children}
      <s-stack direction="inline">
        <s-button
          variant="tertiary"
          accessibilityLabel={`${isTable ? texts.home.hideTable : texts.home.showTable}: ${label}`}
          onClick={() => setTable(!isTable)}
        >
          {isTable ? texts.home.hideTable : texts.home.showTable}
        </s-button>
      </s-stack>
      {isTable && (
        <s-table>
          <s-table-header-row>
            <s-table-header listSlot="primary">{texts.home.day}</s-table-header>
            {series.map(({ key, name }) => (
              <s-table-header key={key} format="numeric">
                {name}
              </s-table-header>
            ))}
          </s-table-header-row>
          <s-table-body>
            {used.map((day) => (
              <s-table-row key={day.day}>
                <s-table-cell>{formatDate(day.day)}</s-table-cell>
                {series.map(({ key }) => (
                  <s-table-cell key={key}>{formatValue(day, key)}</s-table-cell>
                ))}
              </s-table-row>
            ))}
          </s-table-body>
        </s-table>
      )}
    </s-stack>
  );
}
