import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

/** The forms on the page whose input would be lost. Forms with the admin's save bar are not among them. */
const forms = new Set<object>();

/** What follows if the person leaves the page in spite of the input. Null while nobody is asked. */
export const leaving = signal<(() => void) | null>(null);

/** Whether a form on the page holds input that would be lost. */
export function holdsInput(): boolean {
  return forms.size > 0;
}

/**
 * Asks before a person leaves the page while a form holds input. For forms that perform an action once. The save bar is not suitable for
 * them, because its button would perform the action.
 */
export function useUnsaved(hasInput: boolean): void {
  useEffect(() => {
    if (!hasInput) return undefined;
    const form = {};
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    forms.add(form);
    window.addEventListener('beforeunload', ask);
    return () => {
      forms.delete(form);
      window.removeEventListener('beforeunload', ask);
    };
  }, [hasInput]);
}
