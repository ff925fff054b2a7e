/**
 * Tells App Bridge that a form has unsaved changes. App Bridge shows its save bar when the form receives an input event, and hides the bar
 * when the form is submitted. Changes made by code cause no input event, so this function dispatches one.
 */
export function markUnsaved(form: HTMLFormElement | null): void {
  form?.dispatchEvent(new Event('input', { bubbles: true }));
}
