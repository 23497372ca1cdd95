import { Maximize2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import styles from './forms.module.css'

type LargeEditorProps = { title: string; about?: string | undefined; children: ReactNode }

/** A button that opens the editor of an input in a large dialog; both edit the same value. */
export function LargeEditor({ title, about, children }: LargeEditorProps) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button
        look="quiet"
        square
        className={styles.small}
        aria-label={`Edit ${title} in a large editor`}
        onClick={() => setOpen(true)}
      >
        <Maximize2 />
      </Button>
      {open ? (
        <Dialog
          open
          onClose={() => setOpen(false)}
          title={title}
          about={about}
          size="large"
          actions={
            <Button look="main" onClick={() => setOpen(false)}>
              Done
            </Button>
          }
        >
          <div className={styles.largeBody}>{children}</div>
        </Dialog>
      ) : null}
    </>
  )
}
