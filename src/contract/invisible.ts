/** What of a ledger is to be swept. */
export type Unswept = {
  /** Namespaces with chunks of loads that failed or were cancelled, or that a killed process had not swept yet. */
  namespaces: string[]
  /** Whether removed namespaces have chunks. */
  removed: boolean
}

/** The chunks of a namespace that readers do not see, without those of a load that runs. */
export type InvisibleChunks = {
  /** Left by loads that failed or were cancelled, by an unfinished reindex, or by what was replaced or removed for good. */
  unswept: number
  /** Removed, and can be restored. */
  restorable: number
  /** About how many bytes all of them take. */
  bytes: number
}

/** None. */
export const noInvisible: InvisibleChunks = { unswept: 0, restorable: 0, bytes: 0 }
