/** Undoes the call that returned it: stops a timer, removes a listener. Safe to call twice. */
export type Cancel = () => void;
