import { Fragment, type ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { markUnsaved } from '../mark-unsaved.ts';

/**
 * A form that is saved with the admin's save bar. While the bar is shown, the admin asks for confirmation before the user leaves. The bar
 * hides when any form is submitted, so a form with unsaved input shows it again after each render.
 */
export function SaveForm({
  isUnsaved,
  onSave,
  onDiscard,
  children,
}: {
  isUnsaved: boolean;
  onSave: () => void;
  onDiscard: () => void;
  children: ComponentChildren;
}) {
  const form = useRef<HTMLFormElement>(null);
  // A discarded form gets new inputs, because the browser's reset empties the old ones.
  const [version, setVersion] = useState(0);
  // `useEffect` could run after the form is submitted, and would then show the bar again.
  useLayoutEffect(() => {
    if (isUnsaved) markUnsaved(form.current);
  });
  return (
    <form
      data-save-bar
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        onSave();
      }}
      onReset={() => {
        onDiscard();
        setVersion(version + 1);
      }}
    >
      <Fragment key={version}>{children}</Fragment>
    </form>
  );
}
