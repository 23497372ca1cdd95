import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { complain } from '../../parts/toast.tsx'
import { messageOf, onServerEvent } from '../../server/call.ts'
import { watchConnection } from '../../server/connection.ts'
import { codeOf, isSignedIn, signIn } from '../../server/session.ts'
import styles from './sign-in.module.css'
import { SignIn } from './sign-in.tsx'

type State = 'asking' | 'signed-in' | 'signed-out' | 'ended'

/**
 * Shows the application to a person who is signed in. A session that ends in the meantime is renewed over the screen:
 * what is on the screen, typed or drawn, stays.
 */
export function SessionGate({ children }: { children: ReactNode }) {
  const queries = useQueryClient()
  const [state, setState] = useState<State>('asking')
  const [connected, setConnected] = useState(true)
  const [refusal, setRefusal] = useState<string>()

  useEffect(() => {
    void beginSession().then(
      (signedIn) => setState(signedIn ? 'signed-in' : 'signed-out'),
      (error: unknown) => {
        setRefusal(messageOf(error))
        setState('signed-out')
      },
    )
  }, [])

  useEffect(
    () =>
      onServerEvent((event) => {
        if (event !== 'signed-out') return
        // The refusal of a request from before may come when the person has signed in again.
        void isSignedIn().then(
          (signedIn) => setState((now) => (now === 'signed-in' && !signedIn ? 'ended' : now)),
          () => undefined,
        )
      }),
    [],
  )
  useEffect(
    () => onServerEvent((event) => void (event === 'outdated' && queries.invalidateQueries())),
    [queries],
  )

  // A person may sign in by a link in another tab and come back to this one.
  const waits = state === 'signed-out' || state === 'ended'
  const look = useEffectEvent(() => {
    if (!waits) return
    void isSignedIn().then(
      (signedIn) => {
        if (!signedIn) return
        setRefusal(undefined)
        setState('signed-in')
        void queries.invalidateQueries()
      },
      () => undefined,
    )
  })
  useEffect(() => {
    const listener = () => look()
    addEventListener('focus', listener)
    return () => removeEventListener('focus', listener)
  }, [])
  useEffect(
    () =>
      watchConnection((now) => {
        setConnected(now)
        if (!now) return
        void queries.invalidateQueries()
        // It was not there when this page asked who is signed in.
        look()
      }),
    [queries],
  )

  const enter = () => {
    setRefusal(undefined)
    setState('signed-in')
    queries.invalidateQueries().catch((error: unknown) => complain('Loading failed', messageOf(error)))
  }

  if (state === 'asking') return connected ? null : <Away />
  if (state === 'signed-out') return <SignIn refusal={refusal} onSignedIn={enter} />
  return (
    <>
      {connected ? null : <Away />}
      {children}
      {state === 'ended' ? <SignIn over onSignedIn={enter} /> : null}
    </>
  )
}

const Away = () => (
  <p className={styles.lost} role="status">
    The server does not answer. The studio goes on by itself once it does; unsaved changes are kept.
  </p>
)

let begun: Promise<boolean> | undefined

/** Uses the code of a sign-in link once, also where React runs an effect twice. */
function beginSession(): Promise<boolean> {
  begun ??= (async () => {
    const code = codeOf(location.hash)
    if (code === undefined) return isSignedIn()
    // The code must not stay in the history of the browser.
    history.replaceState(null, '', location.pathname + location.search)
    try {
      await signIn({ code })
      return true
    } catch (error) {
      // The link was used before; this browser may still have its session.
      if (await isSignedIn()) return true
      throw error
    }
  })()
  return begun
}
