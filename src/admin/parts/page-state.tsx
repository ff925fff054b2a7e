import type { ComponentChildren } from 'preact';
import type { Loaded } from '../use-data.ts';
import { toFieldMessage } from '../to-field-message.ts';
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
  if (error?.code === 'no_print_account') return <NoPrintAccount />;
  const isOffline = error?.status === 0;
  const offlineText = data === null ? texts.app.offlineEmptyText : texts.app.offlineText;
  const retry = (): void => {
    void reload();
    // The page shows one banner for all of its parts, so all of them reload, as when the browser comes back online.
    if (isOffline) window.dispatchEvent(new Event('online'));
  };
  return (
    <>
      {error !== null && (
        <div class={isOffline ? 'offline' : ''}>
          <s-banner
            tone={isOffline ? 'warning' : 'critical'}
            heading={isOffline ? texts.app.offline : error.status === 404 ? texts.app.notFound : texts.app.failed}
          >
            <s-stack gap="small-100">
              <s-paragraph>{isOffline ? offlineText : toFieldMessage(error)}</s-paragraph>
              <s-stack direction="inline">
                <s-button onClick={retry}>{texts.app.retry}</s-button>
              </s-stack>
            </s-stack>
          </s-banner>
        </div>
      )}
      {data === null ? error === null && <Skeleton rows={rows} /> : children(data)}
    </>
  );
}

/** Shown in place of data from the print service while no print account is connected. */
function NoPrintAccount() {
  return (
    <s-empty-state heading={texts.app.noAccount}>
      <s-paragraph slot="subheading">{texts.app.noAccountText}</s-paragraph>
      <s-button slot="primary-action" href="/settings/connection">
        {texts.home.keyStep}
      </s-button>
    </s-empty-state>
  );
}

/** Gray bars that reserve the height of the content. */
export function Skeleton({ rows }: { rows: number }) {
  return (
    <div class="skeleton" role="status" aria-label={texts.app.loading}>
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} />
      ))}
    </div>
  );
}
