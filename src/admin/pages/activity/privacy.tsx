import type { ListedPrivacyRequest } from '../../../orders/privacy/list-privacy-requests.ts';
import { download } from '../../api.ts';
import { toNumericId, formatDay, formatTime } from '../../format.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { PageState } from '../../parts/page-state.tsx';
import { usePages } from '../../use-pages.ts';
import { useAction } from '../../use-action.ts';
import { toFieldMessage } from '../../to-field-message.ts';
import { texts } from '../../texts/texts.ts';

interface Page {
  privacyRequests: ListedPrivacyRequest[];
  next: string | null;
}

/** Customers' requests for their data or its erasure. */
export function Privacy() {
  const { loaded, pages } = usePages<Page>('/api/privacy-requests', { refreshSeconds: 60, cursor: 'before' });
  const { hasPreviousPage, hasNextPage, onPreviousPage, onNextPage } = pages;
  return (
    <s-section heading={texts.activity.privacy}>
      <PageState loaded={loaded} rows={8}>
        {({ privacyRequests }) => (
          <>
            {privacyRequests.length === 0 && (
              <s-empty-state heading={texts.activity.noPrivacy}>
                <s-paragraph slot="subheading">{texts.activity.noPrivacyText}</s-paragraph>
              </s-empty-state>
            )}
            {privacyRequests.map((request, index) => (
              <s-stack key={request.id} gap="small">
                {index > 0 && <s-divider />}
                <RequestRow request={request} reload={loaded.reload} />
              </s-stack>
            ))}
            {(hasPreviousPage || hasNextPage) && (
              <s-stack direction="inline" gap="small-100">
                <s-button disabled={!hasPreviousPage} onClick={onPreviousPage}>
                  {texts.activity.previous}
                </s-button>
                <s-button disabled={!hasNextPage} onClick={onNextPage}>
                  {texts.activity.more}
                </s-button>
              </s-stack>
            )}
          </>
        )}
      </PageState>
    </s-section>
  );
}

function RequestRow({ request, reload }: { request: ListedPrivacyRequest; reload: () => Promise<void> }) {
  const { id, kind, receivedAt, dueAt, doneAt, orderIds, orderNames, heldByPrintService } = request;
  const isDataRequest = kind === 'data_request';
  return (
    <s-stack gap="small-200">
      <s-stack direction="inline" gap="small-100" alignItems="center">
        <s-heading>{isDataRequest ? texts.activity.dataRequest : texts.activity.redactRequest}</s-heading>
        <RequestState request={request} />
      </s-stack>
      <s-paragraph color="subdued">
        {texts.activity.requested}: {formatTime(receivedAt)}. {texts.activity.due}: {formatDay(dueAt)}.{' '}
        {doneAt !== null && `${texts.activity.completedAt(formatTime(doneAt))}.`}
      </s-paragraph>
      {orderIds.length === 0 ? (
        <s-paragraph>{texts.activity.noOrdersOf}</s-paragraph>
      ) : (
        <s-stack direction="inline" gap="small-100">
          <s-text>{texts.activity.ordersOf}:</s-text>
          {orderIds.map((orderId, index) => (
            <s-link key={orderId} href={`/orders/${toNumericId(orderId)}`}>
              {orderNames[index] || toNumericId(orderId)}
            </s-link>
          ))}
        </s-stack>
      )}
      {heldByPrintService.length > 0 && (
        <s-paragraph>{texts.home.erasedText(heldByPrintService.map(({ name }) => name).join(', '))}</s-paragraph>
      )}
      {isDataRequest && <ExportButton id={id} isDone={doneAt !== null} reload={reload} />}
      {!isDataRequest && doneAt === null && <s-paragraph>{texts.activity.erasedAutomatically}</s-paragraph>}
    </s-stack>
  );
}

function RequestState({ request: { doneAt, dueAt } }: { request: ListedPrivacyRequest }) {
  if (doneAt !== null) return <s-badge tone="success">{texts.activity.completed}</s-badge>;
  if (new Date(dueAt) < new Date()) return <s-badge tone="critical">{texts.activity.overdue}</s-badge>;
  return <s-badge tone="warning">{texts.activity.open}</s-badge>;
}

/** A button that exports the data. First, a dialog explains that the export completes the request. */
function ExportButton({ id, isDone, reload }: { id: string; isDone: boolean; reload: () => Promise<void> }) {
  const { error, run: start } = useAction();
  const label = isDone ? texts.activity.exportAgain : texts.activity.exportData;
  const run = async (): Promise<void> => {
    await start(() => download(`/api/privacy-requests/${id}/export`, `customer-data-${id}.json`));
    await reload();
  };
  return (
    <s-stack direction="inline" gap="small-100">
      <ConfirmButton
        id={`export-${id}`}
        label={label}
        title={texts.activity.dataRequest}
        text={texts.activity.exportText}
        onConfirm={run}
      />
      {error !== null && <s-text tone="critical">{toFieldMessage(error)}</s-text>}
    </s-stack>
  );
}
