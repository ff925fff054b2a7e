import { useRef, useState } from 'preact/hooks';
import { texts } from '../texts/texts.ts';

/** A button for an action. It opens a dialog that explains the action, and runs it only after a confirmation. */
export function ConfirmButton({
  id,
  label,
  title,
  text,
  isCritical = false,
  isDisabled = false,
  readCost,
  onConfirm,
}: {
  id: string;
  label: string;
  title: string;
  text: string;
  isCritical?: boolean;
  isDisabled?: boolean;
  /** Returns a sentence about the action's cost when the dialog opens. Null if the cost is unknown or zero. */
  readCost?: () => Promise<string | null>;
  onConfirm: () => Promise<void>;
}) {
  const [cost, setCost] = useState<string | null>(null);
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
      <s-modal
        id={id}
        heading={title}
        size="small"
        ref={modal}
        onShow={() => {
          setCost(null);
          void readCost?.().then(setCost);
        }}
      >
        <s-paragraph>{text}</s-paragraph>
        {cost !== null && <s-paragraph>{cost}</s-paragraph>}
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
