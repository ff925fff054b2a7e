/** Tracking codes as a sentence names them: `the tracking codes A, B`. */
export function sayCodes(codes: readonly string[]): string {
  return `the tracking ${codes.length === 1 ? 'code' : 'codes'} ${codes.join(', ')}`;
}
