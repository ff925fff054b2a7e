import { useState } from 'preact/hooks';
import type { ShownSettings } from '../../../shops/settings/settings.ts';
import { callApi } from '../../api.ts';
import { toFieldMessage } from '../../to-field-message.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { SaveForm } from '../../parts/save-form.tsx';
import { useAction } from '../../use-action.ts';
import { texts } from '../../texts/texts.ts';

/** The secret header that the print service's events must contain, if the merchant has configured one at the print service. */
export function WebhookHeaderCard({
  settings: { printWebhookHeader: saved },
  onSaved,
}: {
  settings: ShownSettings;
  onSaved: (settings: ShownSettings) => void;
}) {
  const [name, setName] = useState('');
  const [value, setValue] = useState('');
  const { error, isRunning, run } = useAction();
  const clear = (): void => {
    setName('');
    setValue('');
  };
  const save = async (printWebhookHeader: { name: string; value: string } | null): Promise<void> => {
    await run(async () => {
      onSaved(await callApi<ShownSettings>('PUT', '/api/settings', { printWebhookHeader }));
      clear();
    });
  };
  const message = error === null ? '' : toFieldMessage(error);
  const isNameError = error?.field === 'printWebhookHeader.name';
  return (
    <s-section heading={texts.settings.header}>
      <s-stack gap="base">
        <s-paragraph>
          {texts.settings.headerText} {saved !== null && texts.settings.hasHeader(saved.name)}
        </s-paragraph>
        <SaveForm
          isUnsaved={(name.trim() !== '' || value.trim() !== '') && !isRunning}
          onSave={() => void save({ name: name.trim(), value: value.trim() })}
          onDiscard={clear}
        >
          <s-stack gap="base">
            <s-text-field
              label={texts.settings.headerName}
              value={name}
              autocomplete="off"
              error={isNameError ? message : ''}
              onInput={(event) => setName(event.currentTarget.value)}
            />
            <s-password-field
              label={texts.settings.headerValue}
              value={value}
              autocomplete="off"
              error={isNameError ? '' : message}
              onInput={(event) => setValue(event.currentTarget.value)}
            />
            <s-stack direction="inline" gap="small-100">
              <s-button type="submit" loading={isRunning} disabled={name.trim() === '' || value.trim() === ''}>
                {texts.settings.saveHeader}
              </s-button>
              {saved !== null && (
                <ConfirmButton
                  id="remove-header"
                  label={texts.settings.removeHeader}
                  title={texts.settings.removeHeader}
                  text={texts.settings.removeHeaderText}
                  isCritical
                  onConfirm={() => save(null)}
                />
              )}
            </s-stack>
          </s-stack>
        </SaveForm>
      </s-stack>
    </s-section>
  );
}
