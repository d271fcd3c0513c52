/** Ends a script for a reason that its user can act on: the message is printed alone, without a stack. */
export class SetupError extends Error {}
