/** A reason to end that a person can act on: its message is printed alone, without a stack. */
export class Stop extends Error {}
