import type { ReactNode } from 'react'
import styles from './top-bar.module.css'

/** The bar at the top of a screen: where it is on the left, what can be done on the right. */
export function TopBar({ children, actions }: { children: ReactNode; actions: ReactNode }) {
  return (
    <header className={styles.bar}>
      <div className={styles.place}>{children}</div>
      <div className={styles.actions}>{actions}</div>
    </header>
  )
}

export function Logo() {
  return (
    <svg className={styles.logo} viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" />
      <path d="M7 11c3-3 6-3 9 0s6 3 9 0M7 17c3-3 6-3 9 0s6 3 9 0M7 23c3-3 6-3 9 0s6 3 9 0" />
    </svg>
  )
}
