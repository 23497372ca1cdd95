/** Milliseconds since 1970, as `Date.now` gives them. Handed in, so that a test can say what time it is. */
export type Clock = () => number
