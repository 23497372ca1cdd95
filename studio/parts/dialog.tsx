import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import type { ReactNode, RefObject } from 'react'
import { ScrollBox } from './scroll-box.tsx'
import styles from './dialog.module.css'

type DialogProps = {
  open: boolean
  onClose(): void
  title: ReactNode
  /** A sentence below the title. */
  about?: ReactNode
  size?: 'small' | 'large'
  children?: ReactNode
  /** The buttons at the bottom. */
  actions?: ReactNode
  /** What has the focus at first; the first field or button unless given. */
  focus?: RefObject<HTMLElement | null>
}

/** A dialog over the screen. Escape, the cross and a click outside close it. */
export function Dialog({
  open,
  onClose,
  title,
  about,
  size = 'small',
  children,
  actions,
  focus,
}: DialogProps) {
  return (
    <Base.Root open={open} onOpenChange={(next) => next || onClose()}>
      <Base.Portal>
        <Base.Backdrop className={styles.backdrop} />
        <Base.Popup
          className={`${styles.dialog} ${styles[size]}`}
          {...(focus ? { initialFocus: focus as RefObject<HTMLElement> } : {})}
        >
          <header className={styles.head}>
            <div className={styles.titles}>
              <Base.Title className={styles.title}>{title}</Base.Title>
              {about === undefined ? null : (
                <Base.Description className={styles.about}>{about}</Base.Description>
              )}
            </div>
            <Base.Close className={styles.close} aria-label="Close">
              <X aria-hidden="true" />
            </Base.Close>
          </header>
          <ScrollBox className={styles.body}>{children}</ScrollBox>
          {actions === undefined ? null : <footer className={styles.actions}>{actions}</footer>}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
