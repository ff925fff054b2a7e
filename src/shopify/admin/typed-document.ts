/** A GraphQL operation as text, with the types of its answer and its variables: what the generated file is made of. */
export interface TypedDocument<Result, Variables> {
  readonly name: string;
  readonly kind: 'query' | 'mutation';
  readonly text: string;
  /** Never there at run time: it ties the types to the document. */
  readonly types?: (variables: Variables) => Result;
}
