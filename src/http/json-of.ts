/** The type of a value after conversion to JSON. Dates become strings. */
export type JsonOf<Value> = Value extends Date
  ? string
  : Value extends readonly (infer Item)[]
    ? JsonOf<Item>[]
    : Value extends object
      ? { [Name in keyof Value]: JsonOf<Value[Name]> }
      : Value;
