import { type ReactNode, useState } from 'react'
import { messageOf } from '../server/call.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { Note } from './note.tsx'

type AskDeletionProps = {
  title: string
  /** What else changes with it. */
  children: ReactNode
  button?: string
  onClose(): void
  /** Closes the dialog by itself when it is done; a refusal is shown in it. */
  onConfirm(): Promise<unknown>
}

/** Asks before something is deleted or replaced. */
export function AskDeletion({ title, children, button = 'Delete', onClose, onConfirm }: AskDeletionProps) {
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<string>()
  const confirm = async () => {
    setBusy(true)
    try {
      await onConfirm()
      onClose()
    } catch (error) {
      setRefused(messageOf(error))
      setBusy(false)
    }
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="danger" disabled={busy} onClick={() => void confirm()}>
            {button}
          </Button>
        </>
      }
    >
      {refused === undefined ? null : <Note kind="failure">{refused}</Note>}
      {children}
    </Dialog>
  )
}
