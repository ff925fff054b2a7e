import { useRef, useState } from 'preact/hooks';
import { texts } from '../texts/texts.ts';

/** A button that opens a dialog, which explains an action and runs it only after a confirmation. */
export function ConfirmButton({
  id,
  label,
  title,
  text,
  details = null,
  isCritical = false,
  isDisabled = false,
  readCost,
  onConfirm,
}: {
  id: string;
  label: string;
  title: string;
  text: string;
  /** A second paragraph, such as a list of the orders to which the action applies. */
  details?: string | null;
  isCritical?: boolean;
  isDisabled?: boolean;
  /** Returns a sentence about the action's cost when the dialog opens. Null if the cost is unknown or zero. */
  readCost?: () => Promise<string | null>;
  onConfirm: () => Promise<void>;
}) {
  // Undefined while the cost is being read.
  const [cost, setCost] = useState<string | null | undefined>(null);
  // The number of the latest request. A cost that was requested when the dialog was opened earlier is ignored.
  const latest = useRef(0);
  const showCost = async (): Promise<void> => {
    if (readCost === undefined) return;
    latest.current += 1;
    const request = latest.current;
    setCost(undefined);
    const read = await readCost();
    if (request === latest.current) setCost(read);
  };
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
      <s-modal id={id} heading={title} size="small" ref={modal} onShow={() => void showCost()}>
        <s-paragraph>{text}</s-paragraph>
        {details !== null && <s-paragraph>{details}</s-paragraph>}
        {cost === undefined && <s-spinner accessibilityLabel={texts.app.loading} />}
        {typeof cost === 'string' && <s-paragraph>{cost}</s-paragraph>}
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
