import type { ShownSettings } from '../../../shops/settings/settings.ts';
import { callApi } from '../../api.ts';
import { texts } from '../../texts/texts.ts';
import { SecretCard } from './secret-card.tsx';
import { WebhookAddressCard } from './webhook-address-card.tsx';
import { WebhookHeaderCard } from './webhook-header-card.tsx';

interface CardProps {
  settings: ShownSettings;
  onSaved: (settings: ShownSettings) => void;
}

/** Cards for the print account's key, the address that receives its events, and their secret header. No card shows a saved secret. */
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
  const save = async (key: string): Promise<string> => {
    onSaved(await callApi<ShownSettings>('PUT', '/api/settings', { printKey: key }));
    return texts.settings.keySaved;
  };
  const test = async (): Promise<string> => {
    await callApi('POST', '/api/settings/test-print-key', undefined, { isReadOnlyRequest: true });
    return texts.settings.keyWorks;
  };
  const disconnect = async (): Promise<string> => {
    await callApi('POST', '/api/settings/disconnect-print-account');
    onSaved(await callApi<ShownSettings>('GET', '/api/settings'));
    return texts.settings.disconnected;
  };
  return (
    <SecretCard
      heading={texts.settings.key}
      about={`${printKey === null ? texts.settings.noKey : texts.settings.hasKey(printKey.last4)} ${texts.settings.keyText}`}
      field={{ name: 'printKey', label: texts.settings.keyLabel, maxLength: 200 }}
      save={{ label: texts.settings.saveKey, act: save }}
      test={printKey && { label: texts.settings.testKey, act: test }}
      remove={
        printKey && {
          id: 'disconnect',
          label: texts.settings.disconnect,
          title: texts.settings.disconnectTitle,
          text: texts.settings.disconnectText,
          act: disconnect,
        }
      }
    />
  );
}
