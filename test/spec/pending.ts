/** Rows that no test cites yet, by the work that will bring the tests. A row leaves the list when a test cites it. */
export const PENDING: readonly { by: string; ids: readonly string[] }[] = []
