import { useState } from 'preact/hooks';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { Outcome, useOutcome } from '../../parts/outcome.tsx';
import { SaveForm } from '../../parts/save-form.tsx';

/** A button's label and its action. `act` returns the message that the page then shows. */
interface SecretAction {
  label: string;
  act: () => Promise<string>;
}

/** A card with a field for one secret, and actions for the saved secret, which the card never shows. */
export function SecretCard({
  heading,
  about,
  field,
  save,
  test = null,
  remove,
}: {
  heading: string;
  about: string;
  field: { name: string; label: string; maxLength?: number };
  save: { label: string; act: (secret: string) => Promise<string> };
  /** Null if there is nothing to test. */
  test?: SecretAction | null;
  /** Null if no secret is saved. */
  remove: (SecretAction & { id: string; title: string; text: string }) | null;
}) {
  const [secret, setSecret] = useState('');
  const { outcome, isRunning, run } = useOutcome();
  const saveSecret = async (): Promise<string> => {
    const done = await save.act(secret.trim());
    setSecret('');
    return done;
  };
  return (
    <s-section heading={heading}>
      <s-stack gap="base">
        <s-paragraph>{about}</s-paragraph>
        <SaveForm
          isUnsaved={secret.trim() !== '' && !isRunning}
          onSave={() => void run(saveSecret)}
          onDiscard={() => setSecret('')}
        >
          <s-stack gap="base">
            <s-password-field
              {...field}
              value={secret}
              autocomplete="off"
              error={outcome?.isError ? outcome.text : ''}
              onInput={(event) => setSecret(event.currentTarget.value)}
            />
            <s-stack direction="inline" gap="small-100">
              <s-button type="submit" variant="primary" loading={isRunning} disabled={secret.trim() === ''}>
                {save.label}
              </s-button>
              {test && (
                <s-button disabled={isRunning} onClick={() => void run(test.act)}>
                  {test.label}
                </s-button>
              )}
              {remove && (
                <ConfirmButton
                  id={remove.id}
                  label={remove.label}
                  title={remove.title}
                  text={remove.text}
                  isCritical
                  isDisabled={isRunning}
                  onConfirm={() => run(remove.act)}
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
