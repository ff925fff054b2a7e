import type { Store } from '../store.ts';

/** Whether protected customer data is kept back, as from an app that is not approved for it. */
export function hidesProtected({ books }: Store): boolean {
  return books.get<boolean>('settings', 'approved') === false;
}

/** Approves the app for protected customer data, or takes the approval back. */
export function approveProtected({ books }: Store, approved: boolean): void {
  books.put('settings', 'approved', approved);
}
