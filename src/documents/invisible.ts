import { type InvisibleChunks, noInvisible } from '../contract/invisible.ts'

/** The invisible chunks of namespaces, added up. @param namespaces by default all */
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
