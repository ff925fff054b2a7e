import { useState } from 'preact/hooks';
import type { ListedBackfill } from '../../../orders/backfill/list-backfills.ts';
import { callApi, type ApiError } from '../../api.ts';
import { toMessage } from '../../to-field-message.ts';
import { formatScopes, requestScopes } from '../../scopes.ts';
import { useAction } from '../../use-action.ts';
import { useUnsavedInput } from '../../unsaved-input.ts';
import { texts } from '../../texts/texts.ts';

/** The body of the request that starts a backfill. */
interface BackfillRequest {
  since: string;
  dryRun: boolean;
  besideOtherApp?: boolean;
}

/** Starts a backfill or its preview. Throws ApiError. */
export function startBackfill(asked: BackfillRequest): Promise<ListedBackfill> {
  return callApi<ListedBackfill>('POST', '/api/backfills', asked, { isReadOnlyRequest: asked.dryRun });
}

/** A form that asks for the first day of a backfill and starts a preview, which changes nothing. */
export function StartBackfill({ isRunning, reload }: { isRunning: boolean; reload: () => Promise<void> }) {
  const [since, setSince] = useState('');
  const [started, setStarted] = useState('');
  useUnsavedInput(since !== started);
  const { error, isRunning: isSending, run } = useAction();
  const start = async (): Promise<void> => {
    if (await run(async () => void (await startBackfill({ since, dryRun: true })))) setStarted(since);
    await reload();
  };
  const fieldMessage = error?.field === 'since' ? toFieldError(error) : null;
  return (
    <s-section heading={texts.activity.startBackfill}>
      <s-paragraph>{texts.activity.startBackfillText}</s-paragraph>
      {error !== null && fieldMessage === null && (
        <s-banner tone="critical">
          <s-paragraph>{toMessage(error)}</s-paragraph>
        </s-banner>
      )}
      <s-date-field
        label={texts.activity.backfillSince}
        details={texts.activity.backfillSinceDetails}
        value={since}
        {...(fieldMessage !== null && { error: fieldMessage })}
        onChange={(event) => setSince(event.currentTarget.value)}
      />
      <s-stack direction="inline" gap="small-100">
        <s-button
          variant="primary"
          disabled={since === '' || isRunning || isSending}
          loading={isSending}
          onClick={() => void start()}
        >
          {texts.activity.preview}
        </s-button>
        {error !== null && error.scopes.length > 0 && <GrantScopesButton scopes={error.scopes} onGranted={start} />}
      </s-stack>
    </s-section>
  );
}

function toFieldError({ scopes }: ApiError): string {
  return scopes.length > 0 ? texts.activity.needsScope(formatScopes(scopes)) : texts.activity.notInFuture;
}

/** A button that asks the merchant for the missing permissions, and starts the preview again once they are granted. */
function GrantScopesButton({ scopes, onGranted }: { scopes: readonly string[]; onGranted: () => Promise<void> }) {
  const [isRefused, setRefused] = useState(false);
  const run = async (): Promise<void> => {
    const isGranted = await requestScopes(scopes);
    setRefused(!isGranted);
    if (isGranted) await onGranted();
  };
  return (
    <>
      <s-button onClick={() => void run()}>{texts.permissions.grant}</s-button>
      {isRefused && <s-text tone="critical">{texts.permissions.refused(formatScopes(scopes))}</s-text>}
    </>
  );
}
