/**
 * A copy of a string that is not a slice of another. A slice keeps its whole parent in memory; joining and slicing
 * again is the only way in JavaScript to release the parent.
 */
export const copyString = (text: string): string => ` ${text}`.slice(1)
