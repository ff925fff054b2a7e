/** Column definitions that several tables use. */
export const bigId = { type: 'bigint', primary: true, generated: 'increment' } as const;
export const smallId = { type: 'integer', primary: true, generated: 'increment' } as const;
export const owner = { type: 'bigint' } as const;
export const ownerOrNull = { type: 'bigint', nullable: true } as const;
export const integer = { type: 'integer' } as const;
export const integerOrNull = { type: 'integer', nullable: true } as const;
export const text = { type: 'text' } as const;
export const textOrNull = { type: 'text', nullable: true } as const;
export const timestamp = { type: 'timestamptz' } as const;
export const timestampOrNull = { type: 'timestamptz', nullable: true } as const;
export const insertTimestamp = { type: 'timestamptz', createDate: true } as const;
export const updateTimestamp = { type: 'timestamptz', updateDate: true } as const;
export const defaultTimestamp = { type: 'timestamptz', default: () => 'clock_timestamp()' } as const;
