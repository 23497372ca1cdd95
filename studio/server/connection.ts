import { createStore } from 'zustand/vanilla'
import { call, onServerEvent, report } from './call.ts'

/** Whether the server answers, as `watchConnection` saw it last. */
export const connection = createStore(() => ({ isConnected: true }))

const RETRY_MS = 2000

/**
 * Calls `onChange` with false when a request gets no answer, and with true once the server answers again; in between
 * the server is asked every two seconds. Gives a function that ends it.
 */
export function watchConnection(onChange: (connected: boolean) => void): () => void {
  let connected = true
  let timer: ReturnType<typeof setTimeout> | undefined
  const ask = () => {
    timer = setTimeout(
      () => void call('/readyz', { anonymous: true }).catch(() => connected || ask()),
      RETRY_MS,
    )
  }
  const end = onServerEvent((event) => {
    if (event !== 'answer' && event !== 'no-answer') return
    const answers = event === 'answer'
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
    void call('/readyz', { anonymous: true }).catch(() => connected || ask())
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
