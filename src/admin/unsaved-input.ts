import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

/** The forms on the page whose input would be lost, except forms with the admin's save bar. */
const forms = new Set<object>();

/** Called when the user confirms leaving the page. Null while no confirmation is open. */
export const pendingNavigation = signal<(() => void) | null>(null);

/** Whether a form on the page has input that would be lost. */
export function hasUnsavedInput(): boolean {
  return forms.size > 0;
}

/**
 * Asks for confirmation before the user leaves the page while a form has input. Intended for forms that start a one-time action. The save
 * bar does not suit them, because its Save button would start the action.
 */
export function useUnsavedInput(hasInput: boolean): void {
  useEffect(() => {
    if (!hasInput) return undefined;
    const form = {};
    const preventUnload = (event: BeforeUnloadEvent): void => event.preventDefault();
    forms.add(form);
    window.addEventListener('beforeunload', preventUnload);
    return () => {
      forms.delete(form);
      window.removeEventListener('beforeunload', preventUnload);
    };
  }, [hasInput]);
}
