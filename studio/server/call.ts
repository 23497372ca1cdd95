/** A refusal of the server, with its own message; `status` 0 where the server did not answer. */
export class ServerFailure extends Error {
  override name = 'ServerFailure'
  readonly status: number
  readonly code: string
  readonly hint: string | undefined

  constructor(status: number, code: string, message: string, hint?: string) {
    super(message)
    this.status = status
    this.code = code
    this.hint = hint
  }
}

export type ServerEvent = 'signed-out' | 'no-answer' | 'answer' | 'slow' | 'outdated'

const listeners = new Set<(event: ServerEvent) => void>()

/**
 * Reports answers of 401, requests without an answer, answers, answers that take long, and that what this page shows is not what the server has:
 * others have changed or deleted it. Gives a function that ends the reports.
 */
export function onServerEvent(listener: (event: ServerEvent) => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export function report(event: ServerEvent): void {
  for (const listener of listeners) listener(event)
}

/** How long an answer takes before it is reported as slow, in milliseconds. */
const SLOW_MS = 3000

/** Waits for an answer, and reports where it takes long. */
export async function awaitAnswer<Answer>(coming: Promise<Answer>): Promise<Answer> {
  const timer = setTimeout(() => report('slow'), SLOW_MS)
  try {
    return await coming
  } finally {
    clearTimeout(timer)
  }
}

export type CallOptions = {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  body?: object | undefined
  /** The revision that a change is based on: the change is refused with 412 if it is not the newest one. */
  revision?: number | undefined
  query?: Readonly<Record<string, string | number | boolean | undefined>>
  /** The answer 401 is part of the conversation, not the end of the session. */
  anonymous?: boolean
  /** Ends the call: it then throws a failure with the code `aborted`. */
  signal?: AbortSignal
}

/**
 * Calls a route of this server. The type is the one that `src/api` declares for the route.
 *
 * @throws ServerFailure
 */
export async function call<T>(
  path: string,
  { method = 'GET', body, query, revision, anonymous, signal }: CallOptions = {},
): Promise<T> {
  let response: Response
  let text: string
  try {
    const coming = fetch(addressOf(path, query), {
      method,
      headers: {
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(revision === undefined ? {} : { 'if-match': `"${revision}"` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    })
    response = await awaitAnswer(coming)
    text = await response.text()
  } catch {
    if (signal?.aborted) throw new ServerFailure(0, 'aborted', 'The call was ended')
    report('no-answer')
    throw new ServerFailure(0, 'no_answer', 'The server does not answer')
  }
  const failure = response.ok ? undefined : failureOf(response.status, text)
  report(failure?.status === 0 ? 'no-answer' : 'answer')
  if (!failure) return answerOf(response.status, text) as T
  if (failure.status === 401 && !anonymous) report('signed-out')
  // A query may be sent by POST: what it cannot find must not make it be sent again.
  if (isChange(method) && (failure.status === 404 || failure.status === 412)) report('outdated')
  throw failure
}

const isChange = (method: string): boolean => method !== 'GET' && method !== 'POST'

function answerOf(status: number, text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    throw new ServerFailure(
      status,
      'failed',
      'The answer is not one of this server: a proxy may have sent it',
    )
  }
}

export function addressOf(path: string, query: CallOptions['query'] = {}): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  )
  return pairs.length === 0 ? path : `${path}?${new URLSearchParams(pairs)}`
}

/** What a proxy answers where it does not reach the server. */
const BEHIND_PROXY = [502, 503, 504]

/** The failure that an answer describes; a proxy in between may answer with something that is not JSON. */
export function failureOf(status: number, text: string): ServerFailure {
  try {
    const { message, code, hint } = JSON.parse(text) as Partial<Record<'message' | 'code' | 'hint', string>>
    if (typeof message === 'string') return new ServerFailure(status, code ?? 'failed', message, hint)
  } catch {
    // Described below.
  }
  if (BEHIND_PROXY.includes(status)) return new ServerFailure(0, 'no_answer', 'The server does not answer')
  return new ServerFailure(status, 'failed', `The server answered with status ${status}`)
}

/** A sentence for a person, from anything that was thrown. */
export function messageOf(error: unknown): string {
  if (error instanceof ServerFailure) return error.hint ? `${error.message}. ${error.hint}` : error.message
  return error instanceof Error ? error.message : String(error)
}
