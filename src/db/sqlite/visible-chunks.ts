import { setImmediate } from 'node:timers/promises'
import type { SourceRange } from '../../contract/conversation.ts'
import { namesWithin, VISIBLE } from './chunks.ts'
import type { Connection, Row } from './connection.ts'

export type VisibleChunk = { id: number; source: string; metadata: string }

/** Which chunks: of some sources, or of a range; without one, of the sources that belong to no conversation. */
export type Visible = { sources?: readonly string[] | undefined; range?: SourceRange | undefined }

/** How many chunks, or sources, one step reads before other work runs: a few milliseconds. */
const STEP = 500

/**
 * Every visible chunk, in steps between which other work runs. What is visible from the first step to the last comes exactly once;
 * of what is published or removed meanwhile, each chunk may come or not.
 */
export async function* eachVisible(
  connection: Connection,
  indexId: number,
  { sources, range }: Visible,
): AsyncGenerator<VisibleChunk[]> {
  const named = sources
    ? namedSources(connection, indexId, sources)
    : sourcesWithin(connection, indexId, range)
  let step: VisibleChunk[] = []
  for await (const found of named) {
    for (const { id: sourceId, name: source } of found)
      for (const chunks of chunksOfSource(connection, sourceId)) {
        for (const chunk of chunks) step.push({ ...chunk, source })
        if (step.length < STEP) continue
        yield step
        step = []
        await setImmediate()
      }
  }
  if (step.length > 0) yield step
}

type Source = { id: number; name: string }

/** The sources of a range by name, a step at a time. */
async function* sourcesWithin(
  connection: Connection,
  indexId: number,
  range: SourceRange | undefined,
): AsyncGenerator<Source[]> {
  const { within, ends } = namesWithin(range)
  for (let after = ''; ; ) {
    const found = connection.all<Source & Row>(
      `SELECT id, name FROM sources WHERE index_id = ? AND ${within} AND name > ? AND chunks > 0 ORDER BY name LIMIT ?`,
      indexId,
      ...ends,
      after,
      STEP,
    )
    yield found
    if (found.length < STEP) return
    after = found.at(-1)!.name
    await setImmediate()
  }
}

/** Those of some names that are sources, a step at a time. */
async function* namedSources(
  connection: Connection,
  indexId: number,
  names: readonly string[],
): AsyncGenerator<Source[]> {
  const unique = [...new Set(names)]
  for (let from = 0; from < unique.length; from += STEP) {
    yield connection.all<Source & Row>(
      'SELECT sources.id, name FROM json_each(?) CROSS JOIN sources ON index_id = ? AND name = value',
      JSON.stringify(unique.slice(from, from + STEP)),
      indexId,
    )
    await setImmediate()
  }
}

/** The visible chunks of a source, at most {@link STEP} at a time, in the order of the index over them. */
function* chunksOfSource(
  connection: Connection,
  sourceId: number,
): Generator<Omit<VisibleChunk, 'source'>[]> {
  for (let after = { passageId: -1, id: -1 }; ; ) {
    const rows = connection.all<{ id: number; passageId: number; metadata: string }>(
      `SELECT id, passage_id AS passageId, metadata FROM chunks
       WHERE source_id = ? AND (passage_id, id) > (?, ?) AND ${VISIBLE} ORDER BY passage_id, id LIMIT ?`,
      sourceId,
      after.passageId,
      after.id,
      STEP,
    )
    yield rows
    if (rows.length < STEP) return
    after = rows.at(-1)!
  }
}
