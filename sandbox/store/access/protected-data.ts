import type { Store } from '../store.ts';

/** Returns whether protected customer data is hidden because the app is not approved for it. */
export function hidesProtectedData({ books }: Store): boolean {
  return books.get<boolean>('settings', 'approved') === false;
}

/** Approves the app for protected customer data, or withdraws the approval. */
export function setProtectedDataApproval({ books }: Store, approved: boolean): void {
  books.put('settings', 'approved', approved);
}
