import { Link, useLocation } from '@tanstack/react-router'
import { useRef } from 'react'
import styles from './main-nav.module.css'
import { useScrollToCurrent } from './scroll-to-current.ts'
import { Logo } from './top-bar.tsx'

/** The screens that belong to no single flow. */
export const MAIN_SCREENS = [
  { to: '/flows', label: 'Flows' },
  { to: '/document-stores', label: 'Document stores' },
  { to: '/jobs', label: 'Jobs' },
  { to: '/executions', label: 'Executions' },
  { to: '/credentials', label: 'Credentials' },
  { to: '/variables', label: 'Variables' },
  { to: '/tools', label: 'Tools' },
  { to: '/keys', label: 'Keys' },
] as const

/** The name of the product and the main screens: the left side of the top bar. */
export function MainNav() {
  const row = useRef<HTMLElement>(null)
  useScrollToCurrent(row, useLocation().pathname)
  return (
    <>
      <Link to="/flows" className={styles.home} aria-label="Sluice: all flows">
        <Logo />
        <strong>Sluice</strong>
      </Link>
      <nav className={styles.screens} aria-label="Main" ref={row}>
        {MAIN_SCREENS.map(({ to, label }) => (
          <Link key={to} to={to} className={styles.screen}>
            {label}
          </Link>
        ))}
      </nav>
    </>
  )
}
