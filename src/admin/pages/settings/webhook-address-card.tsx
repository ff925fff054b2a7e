import { useState } from 'preact/hooks';
import type { HomeData } from '../../../http/pages/admin/read-home.ts';
import { ApiError, callApi } from '../../api.ts';
import { formatTime } from '../../format.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { useOutcome, Outcome } from '../../parts/outcome.tsx';
import { texts } from '../../texts/texts.ts';
import { useData } from '../../use-data.ts';

/**
 * A new address, and whether Platen registered it at the print service. `registered` is absent if the merchant must register it.
 * `isReplacement`: whether the shop had an address before.
 */
interface NewAddress {
  url: string;
  registered?: boolean;
  isReplacement: boolean;
}

/** An event type that the print service never sends. Platen accepts such an event and ignores it. */
const TEST_EVENT = 'test_event';
const TIMEOUT_MS = 20_000;

/** Creates the address to which the print service sends its events. It is shown once. */
export function WebhookAddressCard() {
  const home = useData<HomeData>('/api/home');
  const [address, setAddress] = useState<NewAddress | null>(null);
  const { outcome, isRunning, run } = useOutcome();
  const createdAt = home.data?.connections.printAddressMadeAt ?? null;
  const create = async (): Promise<string> => {
    const created = await callApi<Omit<NewAddress, 'isReplacement'>>('POST', '/api/settings/print-webhook');
    setAddress({ ...created, isReplacement: createdAt !== null });
    await home.reload();
    return created.registered ? texts.settings.addressRegistered : texts.settings.addressMade;
  };
  const test = async (): Promise<string> => {
    const body = JSON.stringify({ event: TEST_EVENT });
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const isAccepted = await window.fetch(address?.url ?? '', { method: 'POST', body, signal }).then(
      ({ ok }) => ok,
      () => false,
    );
    return isAccepted ? texts.settings.testArrived : throwApiError(texts.settings.testLost);
  };
  const copy = async (): Promise<string> => {
    await navigator.clipboard.writeText(address?.url ?? '').catch(() => throwApiError(texts.settings.notCopied));
    return texts.settings.copied;
  };
  return (
    <s-section heading={texts.settings.address}>
      <s-stack gap="base">
        <s-paragraph>{texts.settings.addressText}</s-paragraph>
        {createdAt !== null && address === null && (
          <s-paragraph color="subdued">{texts.settings.addressMadeAt(formatTime(createdAt))}</s-paragraph>
        )}
        {address !== null && (
          <s-text-field
            label={texts.settings.newAddress}
            details={`${texts.settings.newAddressText}${address.isReplacement ? ` ${texts.settings.previousAddressText}` : ''}`}
            value={address.url}
            readOnly
          />
        )}
        <s-stack direction="inline" gap="small-100">
          {address !== null && (
            <s-button disabled={isRunning} onClick={() => void run(copy)}>
              {texts.settings.copy}
            </s-button>
          )}
          {address !== null && (
            <s-button disabled={isRunning} onClick={() => void run(test)}>
              {texts.settings.sendTest}
            </s-button>
          )}
          {createdAt === null ? (
            <s-button
              disabled={isRunning || (home.data === null && home.error === null)}
              onClick={() => void run(create)}
            >
              {texts.settings.createAddress}
            </s-button>
          ) : (
            <ConfirmButton
              id="create-address"
              label={texts.settings.createAddress}
              title={texts.settings.createAddress}
              text={texts.settings.createAddressText}
              isDisabled={isRunning}
              onConfirm={() => run(create)}
            />
          )}
        </s-stack>
        <Outcome outcome={outcome} />
      </s-stack>
    </s-section>
  );
}

function throwApiError(message: string): never {
  throw new ApiError({ code: 'failed', status: 0, message });
}
