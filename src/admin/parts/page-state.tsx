import type { ComponentChildren } from 'preact';
import type { Loaded } from '../use-data.ts';
import { texts } from '../texts/texts.ts';

/** Shows a page's data. Until it has loaded, shows a skeleton of about the same height. Also shows loading errors and a lost connection. */
export function PageState<Data>({
  loaded: { data, error, reload },
  rows = 6,
  children,
}: {
  loaded: Loaded<Data>;
  rows?: number;
  children: (data: Data) => ComponentChildren;
}) {
  const isOffline = error?.status === 0;
  return (
    <>
      {error !== null && (
        <s-banner
          tone={isOffline ? 'warning' : 'critical'}
          heading={isOffline ? texts.app.offline : error.status === 404 ? texts.app.notFound : texts.app.failed}
        >
          <s-stack gap="small-100">
            <s-paragraph>{isOffline ? texts.app.offlineText : error.message || texts.app.failedText}</s-paragraph>
            <s-stack direction="inline">
              <s-button onClick={() => void reload()}>{texts.app.retry}</s-button>
            </s-stack>
          </s-stack>
        </s-banner>
      )}
      {data === null ? error === null && <Skeleton rows={rows} /> : children(data)}
    </>
  );
}

/** Gray bars that reserve the height of the content. */
function Skeleton({ rows }: { rows: number }) {
  return (
    <div class="skeleton" role="status" aria-label={texts.app.loading}>
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} />
      ))}
    </div>
  );
}
