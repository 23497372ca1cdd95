import { addressOf, call, failureOf, report, ServerFailure } from './call.ts'

export type UpsertRequest = {
  flowId: string
  files: readonly { file: File; path: string }[]
  /** The vector store to load, where the flow has several. */
  stopNodeId: string | undefined
  /** Opens PDFs that are protected by one. */
  password?: string | undefined
  signal: AbortSignal
  /** The part of the files that has been sent, from 0 to 1. */
  onSent(part: number): void
}

/** Starts an upsert as a job, with the files as a form or without files as JSON, and gives the id of the job. */
export const startUpsert = ({ flowId, ...request }: UpsertRequest): Promise<string> =>
  start(`/api/v1/vector/upsert/${encodeURIComponent(flowId)}`, request, {})

/**
 * Starts a dry run as a job and gives its id.
 *
 * @param request `flowData`: a drawing that is used instead of the live one; `draft`: that of the draft is; `refresh`: the documents
 *   that were loaded with other settings are read, without files
 */
export const startDryRun = ({
  flowId,
  flowData,
  draft,
  refresh,
  ...request
}: UpsertRequest & {
  flowData: string | undefined
  draft?: boolean | undefined
  refresh?: boolean | undefined
}): Promise<string> =>
  start(`/api/v1/vector/dry-run/${encodeURIComponent(flowId)}`, request, {
    ...(flowData === undefined ? {} : { flowData }),
    ...(draft ? { draft } : {}),
    ...(refresh ? { refresh } : {}),
  })

async function start(
  path: string,
  { files, stopNodeId, password, signal, onSent }: Omit<UpsertRequest, 'flowId'>,
  more: Readonly<Record<string, string | boolean>>,
): Promise<string> {
  const fields = { ...(stopNodeId === undefined ? {} : { stopNodeId }), ...more }
  if (files.length === 0) {
    const { jobId } = await call<{ jobId: string }>(path, {
      method: 'POST',
      body: password === undefined ? fields : { ...fields, overrideConfig: { password } },
      query: { async: true },
    })
    return jobId
  }
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value))
  if (password !== undefined) form.append('password', password)
  for (const { file, path: name } of files) form.append('files', file, name)
  return sendForm(addressOf(path, { async: true }), form, signal, onSent)
}

/** A chunk that the store has. */
export type StoredChunk = { pageContent: string; metadata: Record<string, unknown> }

/** The chunks of the newest version of a source of a flow, in their order; `page` from 1. */
export const listStoredChunks = (
  flowId: string,
  source: string,
  query: { page: number; limit: number },
): Promise<{ data: StoredChunk[]; total: number }> =>
  call(`/api/v1/vector/chunks/${encodeURIComponent(flowId)}`, {
    query: { source, version: 'newest', ...query },
  })

/**
 * Sends files to a route that makes a job of them, and gives the id of the job. XMLHttpRequest, because fetch does not tell how
 * much of a body was sent.
 *
 * @throws ServerFailure with the code `aborted` where `signal` ends it
 */
export function sendForm(
  address: string,
  form: FormData,
  signal: AbortSignal,
  onSent: (part: number) => void,
): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const request = new XMLHttpRequest()
  request.open('POST', address)
  request.setRequestHeader('accept', 'application/json')
  request.upload.addEventListener('progress', ({ loaded, total }) => onSent(total > 0 ? loaded / total : 0))
  request.addEventListener('load', () => {
    report('answer')
    if (request.status === 202) return resolve((JSON.parse(request.responseText) as { jobId: string }).jobId)
    if (request.status === 401) report('signed-out')
    reject(failureOf(request.status, request.responseText))
  })
  request.addEventListener('error', () => {
    report('no-answer')
    reject(new ServerFailure(0, 'no_answer', 'The connection broke while the files were sent'))
  })
  request.addEventListener('abort', () => reject(new ServerFailure(0, 'aborted', 'Sending was stopped')))
  signal.addEventListener('abort', () => request.abort())
  request.send(form)
  return promise
}
