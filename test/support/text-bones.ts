import { Connection } from '../../src/db/sqlite/connection.ts'
import { hasBit } from '../../src/keyword/bits.ts'
import { eachPosting, PageReader } from '../../src/keyword/page.ts'
import { pagesOf, textSegmentsOf } from '../../src/db/sqlite/text-segments.ts'

/** The terms of each passage in a text index, with their counts, for any division into segments. */
export function textBonesOf(file: string, indexId: number): Map<number, string> {
  const connection = new Connection(file, { readOnly: true })
  const terms = new Map<number, string[]>()
  try {
    for (const { id: segment, ids, gone } of textSegmentsOf(connection, indexId)) {
      for (let number = 0; number < ids.size; number++)
        if (!hasBit(gone, number)) terms.set(ids.idAt(number), [])
      for (const page of pagesOf(connection, segment)) {
        const reader = new PageReader(page)
        while (reader.next())
          eachPosting(reader.postings(), (number, occurrences) => {
            terms.get(ids.idAt(number))?.push(`${reader.term} ${occurrences}`)
          })
      }
    }
  } finally {
    connection.close()
  }
  return new Map([...terms].map(([id, list]) => [id, list.sort().join()]))
}
