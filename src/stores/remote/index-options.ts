/** How an index of a search server is made. What is absent is as the server has it. */
export type IndexOptions = {
  /** The number of its parts. */
  shards?: number
  /** The number of further copies of each part. */
  copies?: number
  /** Whether vectors are compared as they are, or by whole numbers, the first hits again by the exact vectors. */
  vectors: 'full' | 'int8'
  /** How many neighbours are considered for each vector while the graph is built. */
  efConstruction?: number
}

export const PLAIN_INDEX: IndexOptions = { vectors: 'full' }
