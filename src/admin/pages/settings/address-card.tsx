import { useState } from 'preact/hooks';
import type { HomeData } from '../../../http/pages/admin/read-home.ts';
import { ApiError, call } from '../../api.ts';
import { formatTime } from '../../format.ts';
import { ConfirmButton } from '../../parts/confirm.tsx';
import { texts } from '../../texts/texts.ts';
import { useData } from '../../use-data.ts';

/** A new address, and whether it was registered at the print service. Undefined if the merchant registers it. */
interface NewAddress {
  url: string;
  registered?: boolean;
}

/** A kind of event that the print service does not have. Platen accepts it and does nothing. */
const TEST_EVENT = 'test_event';
const LONGEST_MS = 20_000;

/** Creates the address to which the print service sends its events. It is shown once. */
export function AddressCard() {
  const home = useData<HomeData>('/api/home');
  const [address, setAddress] = useState<NewAddress | null>(null);
  const [note, setNote] = useState<{ isError: boolean; text: string } | null>(null);
  const madeAt = home.data?.connections.printAddressMadeAt ?? null;
  const create = async (): Promise<void> => {
    try {
      const made = await call<NewAddress>('POST', '/api/settings/print-webhook');
      setAddress(made);
      setNote({
        isError: false,
        text: made.registered ? texts.settings.addressRegistered : texts.settings.addressMade,
      });
      await home.reload();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setNote({ isError: true, text: error.message || texts.app.failedText });
    }
  };
  const test = async (): Promise<void> => {
    const init = {
      method: 'POST',
      body: JSON.stringify({ event: TEST_EVENT }),
      signal: AbortSignal.timeout(LONGEST_MS),
    };
    const isAccepted = await window.fetch(address?.url ?? '', init).then(
      ({ ok }) => ok,
      () => false,
    );
    setNote({ isError: !isAccepted, text: isAccepted ? texts.settings.testArrived : texts.settings.testLost });
  };
  const copy = async (): Promise<void> => {
    const isCopied = await navigator.clipboard.writeText(address?.url ?? '').then(
      () => true,
      () => false,
    );
    setNote({ isError: !isCopied, text: isCopied ? texts.settings.copied : texts.settings.notCopied });
  };
  return (
    <s-section heading={texts.settings.address}>
      <s-stack gap="base">
        <s-paragraph>{texts.settings.addressText}</s-paragraph>
        {madeAt !== null && address === null && (
          <s-paragraph color="subdued">{texts.settings.addressMadeAt(formatTime(madeAt))}</s-paragraph>
        )}
        {address !== null && (
          <s-text-field
            label={texts.settings.newAddress}
            details={texts.settings.newAddressText}
            value={address.url}
            readOnly
          />
        )}
        <s-stack direction="inline" gap="small-100">
          {address !== null && <s-button onClick={() => void copy()}>{texts.settings.copy}</s-button>}
          {address !== null && <s-button onClick={() => void test()}>{texts.settings.sendTest}</s-button>}
          {madeAt === null ? (
            <s-button disabled={home.data === null && home.error === null} onClick={() => void create()}>
              {texts.settings.createAddress}
            </s-button>
          ) : (
            <ConfirmButton
              id="create-address"
              label={texts.settings.createAddress}
              title={texts.settings.createAddress}
              text={texts.settings.createAddressText}
              onConfirm={create}
            />
          )}
        </s-stack>
        {note !== null && <s-banner tone={note.isError ? 'critical' : 'success'}>{note.text}</s-banner>}
      </s-stack>
    </s-section>
  );
}
