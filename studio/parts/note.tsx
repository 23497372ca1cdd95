import { CircleAlert, Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import styles from './note.module.css'

const ICONS = { info: Info, warning: TriangleAlert, failure: CircleAlert }

/** A remark within a screen; a failure is announced. */
export function Note({ kind = 'info', children }: { kind?: keyof typeof ICONS; children: ReactNode }) {
  const Icon = ICONS[kind]
  return (
    <div className={`${styles.note} ${styles[kind]}`} role={kind === 'failure' ? 'alert' : undefined}>
      <Icon aria-hidden="true" />
      <div>{children}</div>
    </div>
  )
}
