/** A key of the state. What is written to one with `append` is added to its list. */
export type StateKey = { key: string; append: boolean; initial: string }
