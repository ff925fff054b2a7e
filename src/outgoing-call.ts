/** One HTTP request to another service, for metrics, the circuit breakers and traces. */
export interface OutgoingCall {
  operation: string;
  method: string;
  /** Null if there was no response. */
  status: number | null;
  /** `done` or `ok` for a success, and otherwise the kind of the error. */
  outcome: string;
  /** Does not include the time that the request waited for its turn. */
  durationMs: number;
  /** 1 for the first request of a call, 2 for its first retry. */
  attempt: number;
}
