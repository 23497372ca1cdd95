import { useState } from 'react'
import { report } from '../server/call.ts'

type OpenedRowOptions<Row> = {
  /** The row as the server has it now. */
  read(row: Row): Promise<Row>
  /** What the form shows of a row, and its change would replace. */
  shown(row: Row): unknown
}

/**
 * The row that a form was opened with. The server takes the last change of such a row, so that its form asks first whether others have changed
 * what it shows: it refuses once, and the next try is meant.
 *
 * @returns gives the row as the server has it now; throws where others have changed it, and where it is gone
 */
export function useOpenedRow<Row>(
  opened: Row | undefined,
  { read, shown }: OpenedRowOptions<Row>,
): () => Promise<Row | undefined> {
  const [known, setKnown] = useState(() => opened && JSON.stringify(shown(opened)))
  return async () => {
    if (opened === undefined) return undefined
    const now = await read(opened)
    const found = JSON.stringify(shown(now))
    if (found === known) return now
    setKnown(found)
    report('outdated')
    throw new Error(
      'This was changed elsewhere after you opened it. Save again to replace that change; to see it first, close this and open it again',
    )
  }
}
