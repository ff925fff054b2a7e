/**
 * Tells App Bridge that a form has unsaved changes. Its save bar appears when the form receives an input event, which changes from code do
 * not cause, and disappears when the form is submitted.
 */
export function markUnsaved(form: HTMLFormElement | null): void {
  form?.dispatchEvent(new Event('input', { bubbles: true }));
}
