/**
 * A copy of a text that is no slice of another. A slice keeps all of its parent in memory, however small it is; joining
 * and slicing again is the only way in the language to let the parent go.
 */
export const copyString = (text: string): string => ` ${text}`.slice(1)
