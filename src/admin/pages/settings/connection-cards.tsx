import { useState } from 'preact/hooks';
import type { ShownSettings } from '../../../shops/settings/settings.ts';
import { call } from '../../api.ts';
import { ConfirmButton } from '../../parts/confirm.tsx';
import { SaveForm } from '../../parts/save-form.tsx';
import { useOutcome, Outcome } from '../../parts/outcome.tsx';
import { texts } from '../../texts/texts.ts';
import { WebhookAddressCard } from './webhook-address-card.tsx';
import { WebhookHeaderCard } from './webhook-header-card.tsx';

interface CardProps {
  settings: ShownSettings;
  onSaved: (settings: ShownSettings) => void;
}

/** The print account's key, its address for updates, and how to disconnect it. Nothing here shows a saved secret. */
export function ConnectionCards({ settings, onSaved }: CardProps) {
  return (
    <>
      <KeyCard settings={settings} onSaved={onSaved} />
      <WebhookAddressCard />
      <WebhookHeaderCard settings={settings} onSaved={onSaved} />
    </>
  );
}

function KeyCard({ settings: { printKey }, onSaved }: CardProps) {
  const [key, setKey] = useState('');
  const { outcome, isRunning, run } = useOutcome();
  const save = async (): Promise<string> => {
    onSaved(await call<ShownSettings>('PUT', '/api/settings', { printKey: key }));
    setKey('');
    return texts.settings.keySaved;
  };
  const test = async (): Promise<string> => {
    await call('POST', '/api/settings/test-print-key', undefined, { isTrial: true });
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
        <SaveForm
          isUnsaved={key.trim() !== '' && !isRunning}
          onSave={() => void run(save)}
          onDiscard={() => setKey('')}
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
            {outcome?.isError === false && <Outcome outcome={outcome} />}
          </s-stack>
        </SaveForm>
      </s-stack>
    </s-section>
  );
}
