import { useEffect, useState } from 'react'
import { messageOf } from '../server/call.ts'
import { newSignInLink } from '../server/session.ts'
import { Button } from './button.tsx'
import { CopyButton } from './copy-button.tsx'
import { Dialog } from './dialog.tsx'
import styles from './invite.module.css'
import { Note } from './note.tsx'

/** A link that signs another browser in, made when the dialog opens. */
export function Invite({ open, onClose }: { open: boolean; onClose(): void }) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Invite"
      about="Whoever opens the link can do everything that you can do here."
      actions={
        <Button look="main" onClick={onClose}>
          Done
        </Button>
      }
    >
      {open ? <Link /> : null}
    </Dialog>
  )
}

function Link() {
  const [made, setMade] = useState<{ link: string; expiresAt: string }>()
  const [failure, setFailure] = useState<string>()
  const [attempt, setAttempt] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt makes a link
  useEffect(() => {
    let isShown = true
    setMade(undefined)
    setFailure(undefined)
    newSignInLink().then(
      (link) => isShown && setMade(link),
      (error: unknown) => isShown && setFailure(messageOf(error)),
    )
    return () => {
      isShown = false
    }
  }, [attempt])
  const again = <Button onClick={() => setAttempt(attempt + 1)}>Make another link</Button>
  if (failure !== undefined)
    return (
      <>
        <Note kind="failure">{failure}</Note>
        {again}
      </>
    )
  if (!made) return <p role="status">Making a link…</p>
  const until = new Date(made.expiresAt).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })
  return (
    <div className={styles.invite}>
      <input
        readOnly
        value={made.link}
        aria-label="Sign-in link"
        onFocus={(event) => event.target.select()}
      />
      <div className={styles.row}>
        <CopyButton text={made.link} label="Copy the link" />
        {again}
      </div>
      <p className={styles.quiet}>
        It works once, until {until}. Send it by a way that only this person reads.
      </p>
    </div>
  )
}
