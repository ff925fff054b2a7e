/** The command line was not understood: exit code 2, with the usage of the command. */
export class UsageError extends Error {}
