/** Milliseconds since 1970, as `Date.now` gives them. Passed in, so that a test can set the time. */
export type Clock = () => number
