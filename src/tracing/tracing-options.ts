/** Which orders' traces are exported. The decision depends only on the trace's ID, so every process decides the same. */
export type Sampling = 'always_on' | 'always_off' | { ratio: number };

export interface TracingOptions {
  /** The address of the receiver without the path `/v1/traces`. */
  endpoint: string;
  headers: Record<string, string>;
  /** The attributes of this process in the traces. */
  resource: Record<string, string>;
  sampling: Sampling;
  /** The app's client ID, from which the traces' IDs are computed. */
  app: string;
}
