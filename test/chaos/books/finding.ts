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
  /** The shop and the name of the order in the store. */
  order: string;
  /** References, IDs and numbers that show the error. */
  evidence: string;
}
