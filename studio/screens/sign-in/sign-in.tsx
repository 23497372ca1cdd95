import { Dialog } from '@base-ui/react/dialog'
import { type FormEvent, useId, useState } from 'react'
import { PasswordInput } from '../../forms/text-input.tsx'
import { Button } from '../../parts/button.tsx'
import { Note } from '../../parts/note.tsx'
import { Logo } from '../../parts/top-bar.tsx'
import { messageOf } from '../../server/call.ts'
import { signIn } from '../../server/session.ts'
import styles from './sign-in.module.css'

type SignInProps = {
  /** Why a link did not work. */
  refusal?: string | undefined
  /** The session ended while the person worked: the form stands over the screen. */
  over?: boolean
  onSignedIn(): void
}

export function SignIn({ refusal, over = false, onSignedIn }: SignInProps) {
  const id = useId()
  const [key, setKey] = useState('')
  const [refused, setRefused] = useState(refusal)
  const [busy, setBusy] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    try {
      await signIn({ key: key.trim() })
      onSignedIn()
    } catch (error) {
      setRefused(messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  const form = (
    <form className={styles.card} onSubmit={(event) => void submit(event)} aria-labelledby={`${id}-title`}>
      <Logo />
      <h1 id={`${id}-title`}>{over ? 'Sign in again' : 'Sign in to Sluice'}</h1>
      {over ? (
        <p className={styles.about}>
          The session has ended. Nothing that you drew or typed is lost. Use a key, or open a link of{' '}
          <code>sluice sign-in</code> in another tab and come back.
        </p>
      ) : (
        <p className={styles.about}>
          <code>sluice sign-in</code> on the machine of the server prints a link that signs you in. A key with
          the scope <code>manage</code> does it too.
        </p>
      )}
      {refused === undefined ? null : <Note kind="failure">{refused}</Note>}
      <PasswordInput
        id={`${id}-key`}
        input={{ name: 'key', label: 'Management key', type: 'password', optional: false }}
        value={key}
        onChange={(value) => setKey(String(value))}
      />
      <Button look="main" type="submit" disabled={busy || key.trim() === ''}>
        Sign in
      </Button>
    </form>
  )
  if (!over) return <main className={styles.screen}>{form}</main>
  // A dialog, because an open dialog of the screen makes everything outside of dialogs unreachable.
  return (
    <Dialog.Root open disablePointerDismissal>
      <Dialog.Portal>
        <Dialog.Popup className={`${styles.screen} ${styles.over}`} aria-labelledby={`${id}-title`}>
          {form}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
