import type { UpsertAnswer } from '../api/upsert.ts'
import type { Json } from '../kit/json.ts'
import { Failure } from './failure.ts'
import { resultOf } from './follow-job.ts'
import type { Body, Client } from './http.ts'
import { multipart } from './multipart.ts'
import { paintFor } from './paint.ts'
import { type Progress, showProgress } from './progress.ts'
import { readAnswer } from './read-answer.ts'
import type { UploadFile } from './upload-file.ts'
import { counted } from './units.ts'
import type { World } from './world.ts'

export type UploadRequest = {
  flow: string
  files: UploadFile[]
  /** Overrides and options of the request, by name. */
  fields: [name: string, value: string][]
  /** The most files of one request. */
  maxFiles: number
}

/** Sends files to a flow in one request, and shows the progress. @returns the result of the upsert @throws Failure */
export async function sendFiles(
  client: Client,
  { flow, files, fields, maxFiles }: UploadRequest,
  world: World,
): Promise<UpsertAnswer & Json> {
  if (files.length > maxFiles)
    throw new Failure(
      `${counted(files.length, 'file')} are more than one upsert takes (${maxFiles.toLocaleString('en')})`,
      'they are not sent in several upserts, because each could remove the chunks of the others (cleanup): ' +
        'raise MAX_FILES here and on the server, or give one directory at a time',
    )
  const body = multipart(fields, files)
  const progress = showProgress(world, body.length, paintFor(world.stderr, world.environment))
  try {
    const path = `vector/upsert/${encodeURIComponent(flow)}`
    const first = await client.send('POST', path, watched(body, progress), { prefer: 'respond-async' })
    return await readAnswer(
      resultOf(client, first, progress),
      async () => (await import('../api/upsert.ts')).upsertCounters,
      'the result of an upsert: the flow may have no vector store',
    )
  } finally {
    progress.end()
  }
}

/** The same body, which reports to `progress` how much of it was sent. */
function watched(body: Body, progress: Progress): Body {
  return {
    ...body,
    async *chunks() {
      for await (const chunk of body.chunks()) {
        yield chunk
        progress.sent(chunk.length)
      }
      progress.uploaded()
    },
  }
}
