import type { ShownLink } from '../../../products/links/show-links.ts';
import { formatTime } from '../../format.ts';
import { texts } from '../../texts/texts.ts';

/** The result of the last check of a print link, with the remedy for each problem. */
export function CheckResult({ link: { problems, checkedAt } }: { link: ShownLink }) {
  if (problems.length > 0)
    return (
      <s-stack gap="small-300">
        <s-stack direction="inline">
          <s-badge tone="warning">{texts.products.hasProblem}</s-badge>
        </s-stack>
        {problems.map(({ code, field, message, remedy }) => (
          <s-stack key={`${code} ${field}`} gap="small-500">
            <s-text>{message}</s-text>
            <s-text color="subdued">
              {texts.home.remedy}: {remedy}
            </s-text>
          </s-stack>
        ))}
      </s-stack>
    );
  if (checkedAt === null)
    return (
      <s-stack direction="inline">
        <s-badge tone="info">{texts.products.notChecked}</s-badge>
      </s-stack>
    );
  return (
    <s-stack gap="small-500">
      <s-stack direction="inline">
        <s-badge tone="success">{texts.products.good}</s-badge>
      </s-stack>
      <s-text color="subdued">{formatTime(checkedAt)}</s-text>
    </s-stack>
  );
}

const TONES: Record<string, 'success' | 'warning' | 'neutral'> = { connected: 'success', not_connected: 'warning' };

/** Whether a variant is connected at the print service. */
export function ConnectionBadge({ status }: { status: string | null }) {
  if (status === null) return <s-text color="subdued">{texts.products.connectionUnknown}</s-text>;
  return <s-badge tone={TONES[status] ?? 'neutral'}>{texts.products.connections[status] ?? status}</s-badge>;
}
