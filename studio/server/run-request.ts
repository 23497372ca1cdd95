import { report, ServerFailure } from './call.ts'

export type RunBody =
  | { json: object }
  | { form: readonly (readonly [name: string, value: string])[]; files: readonly File[] }

/** What came back of a request so far. */
export type RunAnswer = {
  status: number
  /** Until the last byte that has come, in milliseconds. */
  ms: number
  contentType: string
  text: string
  isComplete: boolean
}

/**
 * Sends a request of a sample as this browser's session. `onAnswer` is called whenever more of the answer has come.
 *
 * @throws ServerFailure where no answer comes; the reason of the signal
 */
export async function runRequest(
  path: string,
  body: RunBody,
  { signal, onAnswer }: { signal: AbortSignal; onAnswer(answer: RunAnswer): void },
): Promise<void> {
  const startedAt = performance.now()
  let response: Response
  try {
    response = await fetch(path, { method: 'POST', signal, ...contentOf(body) })
  } catch (error) {
    signal.throwIfAborted()
    report('no-answer')
    throw new ServerFailure(0, 'no_answer', `The server does not answer: ${String(error)}`)
  }
  report('answer')
  if (response.status === 401) report('signed-out')
  const decoder = new TextDecoder()
  let text = ''
  const show = (isComplete: boolean) =>
    onAnswer({
      status: response.status,
      ms: Math.round(performance.now() - startedAt),
      contentType: response.headers.get('content-type') ?? '',
      text,
      isComplete,
    })
  show(false)
  const reader = response.body?.getReader()
  for (let part = await reader?.read(); part && !part.done; part = await reader!.read()) {
    text += decoder.decode(part.value, { stream: true })
    show(false)
  }
  show(true)
}

function contentOf(body: RunBody): RequestInit {
  if ('json' in body)
    return { body: JSON.stringify(body.json), headers: { 'content-type': 'application/json' } }
  const form = new FormData()
  for (const file of body.files) form.append('files', file, file.name)
  for (const [name, value] of body.form) form.append(name, value)
  return { body: form }
}
