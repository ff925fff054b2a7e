import type { HomeData } from '../../../http/pages/admin/read-home.ts';
import { formatDuration } from '../../format.ts';
import { texts } from '../../texts/texts.ts';

/** The duration of a step: the median and the 95th percentile. */
export function Times({ name, times }: { name: string; times: HomeData['times']['toPrint'] }) {
  return (
    <s-stack gap="small-300">
      <s-heading>{name}</s-heading>
      {times === null ? (
        <s-paragraph color="subdued">{texts.home.noTimes}</s-paragraph>
      ) : (
        <>
          <s-paragraph>
            {texts.home.median}: {formatDuration(times.median)}
          </s-paragraph>
          <s-paragraph color="subdued">
            {texts.home.p95}: {formatDuration(times.p95)}
          </s-paragraph>
        </>
      )}
    </s-stack>
  );
}
