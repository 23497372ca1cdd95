/**
 * A text that is nobody's slice. A slice keeps all of its parent alive, however small it is; joining and slicing again
 * is the one way in the language to be rid of the parent.
 */
export const copy = (text: string): string => ` ${text}`.slice(1)
