/** What is wrong with the name of a variable; undefined for a good one, and for one that is not typed yet. */
export const variableNameProblem = (name: string): string | undefined =>
  name === '' || /^[\p{L}_][\p{L}\p{N}_]{0,199}$/u.test(name)
    ? undefined
    : 'Letters, digits and _, not beginning with a digit'
