import { useRef } from 'preact/hooks';
import { texts } from '../texts/texts.ts';

/** A button that opens a dialog. The dialog says what the action does before it is done. */
export function ConfirmButton({
  id,
  label,
  title,
  text,
  isCritical = false,
  isDisabled = false,
  onConfirm,
}: {
  id: string;
  label: string;
  title: string;
  text: string;
  isCritical?: boolean;
  isDisabled?: boolean;
  onConfirm: () => Promise<void>;
}) {
  const modal = useRef<HTMLElementTagNameMap['s-modal']>(null);
  return (
    <>
      <s-button
        commandFor={id}
        command="--show"
        disabled={isDisabled}
        {...(isCritical && { tone: 'critical' as const })}
      >
        {label}
      </s-button>
      <s-modal id={id} heading={title} size="small" ref={modal}>
        <s-paragraph>{text}</s-paragraph>
        <s-button slot="secondary-actions" commandFor={id} command="--hide">
          {texts.app.close}
        </s-button>
        <s-button
          slot="primary-action"
          variant="primary"
          {...(isCritical && { tone: 'critical' as const })}
          onClick={() => {
            modal.current?.hideOverlay();
            void onConfirm();
          }}
        >
          {label}
        </s-button>
      </s-modal>
    </>
  );
}
