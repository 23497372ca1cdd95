import { createStore } from 'zustand/vanilla'
import { call, onServerEvent, report, ServerFailure } from './call.ts'

/** Whether the server answers, as `watchConnection` saw it last. */
export const connection = createStore(() => ({ isConnected: true }))

const RETRY_MS = 2000
/** How long an answer may take that the server gives without any work, in milliseconds. */
const ANSWER_MS = 3000

/** Whether the server answers now, be it with a refusal. */
export const answersNow = (): Promise<boolean> =>
  call('/healthz', { anonymous: true, signal: AbortSignal.timeout(ANSWER_MS) }).then(
    () => true,
    (error: unknown) => error instanceof ServerFailure && error.status !== 0,
  )

/**
 * Calls `onChange` with false when a request gets no answer, and with true once the server answers again; in between
 * the server is asked every two seconds. Where an answer takes long, it is asked whether it answers at all. Gives a function that ends it.
 */
export function watchConnection(onChange: (connected: boolean) => void): () => void {
  let connected = true
  let timer: ReturnType<typeof setTimeout> | undefined
  const ask = () => {
    timer = setTimeout(() => void answersNow().then((answers) => answers || connected || ask()), RETRY_MS)
  }
  let answered = 0
  let isAsking = false
  const askSlow = async () => {
    if (!connected || isAsking) return
    isAsking = true
    const before = answered
    const answers = await answersNow()
    isAsking = false
    if (!answers && answered === before) report('no-answer')
  }
  const end = onServerEvent((event) => {
    if (event === 'slow') return void askSlow()
    if (event !== 'answer' && event !== 'no-answer') return
    const answers = event === 'answer'
    if (answers) answered++
    if (answers === connected) return
    connected = answers
    clearTimeout(timer)
    if (!connected) ask()
    connection.setState({ isConnected: connected })
    onChange(connected)
  })
  const offline = () => report('no-answer')
  const online = () => {
    if (connected) return
    clearTimeout(timer)
    void answersNow().then((answers) => answers || connected || ask())
  }
  addEventListener('offline', offline)
  addEventListener('online', online)
  return () => {
    removeEventListener('offline', offline)
    removeEventListener('online', online)
    clearTimeout(timer)
    end()
  }
}
