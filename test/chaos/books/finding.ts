/** An error in the books. */
export interface Finding {
  kind:
    | 'duplicates'
    | 'lost'
    | 'wrongLines'
    | 'wrongTracking'
    | 'doubledFulfillments'
    | 'doubleNotifications'
    | 'spareDrafts';
  /** Shop and name of the order in the store. */
  order: string;
  /** References, ids and numbers. */
  evidence: string;
}
