/** A GraphQL operation as text, with the types of its response and variables. The generated file consists of these operations. */
export interface TypedDocument<Result, Variables> {
  readonly name: string;
  readonly kind: 'query' | 'mutation';
  readonly text: string;
  /** Never present at run time: it binds the types to the document. */
  readonly types?: (variables: Variables) => Result;
}
