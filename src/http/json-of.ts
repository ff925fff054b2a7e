/** The type of a value after conversion to JSON. Dates become strings. */
export type Jsonified<Value> = Value extends Date
  ? string
  : Value extends readonly (infer Item)[]
    ? Jsonified<Item>[]
    : Value extends object
      ? { [Name in keyof Value]: Jsonified<Value[Name]> }
      : Value;
