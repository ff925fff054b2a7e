import { useState } from 'preact/hooks';
import type { ShownSettings } from '../../../shops/settings/settings.ts';
import { ApiError, call } from '../../api.ts';
import { toFieldMessage } from '../../field-message.ts';
import { ConfirmButton } from '../../parts/confirm.tsx';
import { texts } from '../../texts/texts.ts';
import { AddressCard } from './address-card.tsx';
import { HeaderCard } from './header-card.tsx';

interface CardProps {
  settings: ShownSettings;
  onSaved: (settings: ShownSettings) => void;
}

/** The print account's key, its address for updates, and how to disconnect it. Nothing here shows a saved secret. */
export function ConnectionCards({ settings, onSaved }: CardProps) {
  return (
    <>
      <KeyCard settings={settings} onSaved={onSaved} />
      <AddressCard />
      <HeaderCard settings={settings} onSaved={onSaved} />
    </>
  );
}

interface Outcome {
  isError: boolean;
  text: string;
}

function KeyCard({ settings: { printKey }, onSaved }: CardProps) {
  const [key, setKey] = useState('');
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [isRunning, setRunning] = useState(false);
  const run = async (work: () => Promise<string>): Promise<void> => {
    setRunning(true);
    setOutcome(null);
    try {
      setOutcome({ isError: false, text: await work() });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setOutcome({ isError: true, text: toFieldMessage(error) });
    } finally {
      setRunning(false);
    }
  };
  const save = async (): Promise<string> => {
    onSaved(await call<ShownSettings>('PUT', '/api/settings', { printKey: key }));
    setKey('');
    return texts.settings.keySaved;
  };
  const test = async (): Promise<string> => {
    await call('POST', '/api/settings/test-print-key');
    return texts.settings.keyWorks;
  };
  const disconnect = async (): Promise<string> => {
    await call('POST', '/api/settings/disconnect-print-account');
    onSaved(await call<ShownSettings>('GET', '/api/settings'));
    return texts.settings.disconnected;
  };
  return (
    <s-section heading={texts.settings.key}>
      <s-stack gap="base">
        <s-paragraph>
          {printKey === null ? texts.settings.noKey : texts.settings.hasKey(printKey.last4)} {texts.settings.keyText}
        </s-paragraph>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void run(save);
          }}
        >
          <s-stack gap="base">
            <s-password-field
              label={texts.settings.keyLabel}
              name="printKey"
              value={key}
              autocomplete="off"
              maxLength={200}
              error={outcome?.isError ? outcome.text : ''}
              onInput={(event) => setKey(event.currentTarget.value)}
            />
            <s-stack direction="inline" gap="small-100">
              <s-button type="submit" variant="primary" loading={isRunning} disabled={key.trim() === ''}>
                {texts.settings.saveKey}
              </s-button>
              {printKey !== null && (
                <s-button disabled={isRunning} onClick={() => void run(test)}>
                  {texts.settings.testKey}
                </s-button>
              )}
              {printKey !== null && (
                <ConfirmButton
                  id="disconnect"
                  label={texts.settings.disconnect}
                  title={texts.settings.disconnectTitle}
                  text={texts.settings.disconnectText}
                  isCritical
                  isDisabled={isRunning}
                  onConfirm={() => run(disconnect)}
                />
              )}
            </s-stack>
            {outcome !== null && !outcome.isError && <s-banner tone="success">{outcome.text}</s-banner>}
          </s-stack>
        </form>
      </s-stack>
    </s-section>
  );
}
