/** What of a ledger is to be swept. */
export type Unswept = {
  /** Namespaces with chunks of loads that failed or were cancelled, or that a killed process had not swept yet. */
  namespaces: string[]
  /** Whether removed namespaces have chunks. */
  retired: boolean
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

export const noInvisible: InvisibleChunks = { unswept: 0, restorable: 0, bytes: 0 }

/** @param namespaces by default all */
export function sumInvisible(
  found: ReadonlyMap<string, InvisibleChunks>,
  namespaces: Iterable<string> = found.keys(),
): InvisibleChunks {
  return [...namespaces]
    .map((namespace) => found.get(namespace) ?? noInvisible)
    .reduce(
      (sum, { unswept, restorable, bytes }) => ({
        unswept: sum.unswept + unswept,
        restorable: sum.restorable + restorable,
        bytes: sum.bytes + bytes,
      }),
      noInvisible,
    )
}

/** What a check of a database says of its invisible chunks; the rest of them is staged by loads that run, or left to be swept. */
export const invisibleNote = ({ chunks, restorable }: { chunks: number; restorable: number }): string =>
  `${restorable} can be restored; ${chunks - restorable} are deleted within a minute while a server runs, or are of an upsert that runs`
