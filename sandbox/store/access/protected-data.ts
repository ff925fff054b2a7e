import type { Store } from '../store.ts';

/** Whether protected customer data is hidden, as it is from an unapproved app. */
export function hidesProtected({ books }: Store): boolean {
  return books.get<boolean>('settings', 'approved') === false;
}

/** Approves the app for protected customer data, or withdraws the approval. */
export function approveProtected({ books }: Store, approved: boolean): void {
  books.put('settings', 'approved', approved);
}
