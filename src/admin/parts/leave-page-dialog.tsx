import { useEffect, useRef } from 'preact/hooks';
import { texts } from '../texts/texts.ts';
import { pendingNavigation } from '../unsaved-input.ts';

const MODAL_ID = 'leave-page';

/** Asks whether to leave a page with unsaved input in a form (`useUnsavedInput`). */
export function LeavePageDialog() {
  const modal = useRef<HTMLElementTagNameMap['s-modal']>(null);
  const leave = pendingNavigation.value;
  useEffect(() => {
    if (leave !== null) modal.current?.showOverlay();
  }, [leave]);
  return (
    <s-modal
      id={MODAL_ID}
      heading={texts.app.leaveTitle}
      size="small"
      ref={modal}
      onHide={() => {
        pendingNavigation.value = null;
      }}
    >
      <s-paragraph>{texts.app.leaveText}</s-paragraph>
      <s-button slot="secondary-actions" commandFor={MODAL_ID} command="--hide">
        {texts.app.stay}
      </s-button>
      <s-button
        slot="primary-action"
        variant="primary"
        tone="critical"
        onClick={() => {
          modal.current?.hideOverlay();
          leave?.();
        }}
      >
        {texts.app.leave}
      </s-button>
    </s-modal>
  );
}
