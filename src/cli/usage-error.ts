/** Thrown if the command line is invalid. The exit code is 2, and the message refers to the command's help. */
export class UsageError extends Error {}
