import { addressOf, call, failureOf, report, ServerFailure } from './call.ts'

export type UpsertRequest = {
  flowId: string
  files: readonly { file: File; path: string }[]
  /** The vector store to load, where the flow has several. */
  stopNodeId: string | undefined
  signal: AbortSignal
  /** The part of the files that has been sent, from 0 to 1. */
  onSent(part: number): void
}

/** Starts an upsert as a job, with the files as a form or without files as JSON, and gives the id of the job. */
export async function startUpsert({
  flowId,
  files,
  stopNodeId,
  signal,
  onSent,
}: UpsertRequest): Promise<string> {
  const address = `/api/v1/vector/upsert/${encodeURIComponent(flowId)}`
  if (files.length === 0) {
    const body = stopNodeId === undefined ? {} : { stopNodeId }
    const { jobId } = await call<{ jobId: string }>(address, { method: 'POST', body, query: { async: true } })
    return jobId
  }
  const form = new FormData()
  if (stopNodeId !== undefined) form.append('stopNodeId', stopNodeId)
  for (const { file, path } of files) form.append('files', file, path)
  return sendForm(addressOf(address, { async: true }), form, signal, onSent)
}

/** XMLHttpRequest, because fetch does not say how much of a body was sent. */
function sendForm(
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
