import { Link, useLocation, useNavigate } from '@tanstack/react-router'
import {
  Code,
  DatabaseZap,
  FileText,
  History,
  ListChecks,
  MessageCircleQuestionMark,
  SlidersHorizontal,
  Workflow,
} from 'lucide-react'
import { useRef } from 'react'
import { useActions } from '../../actions/use-actions.ts'
import { useScrollToCurrent } from '../../parts/scroll-to-current.ts'
import styles from './flow-tabs.module.css'

/** The tabs of an open flow, in the order of work; each is a route below `/flows/$id`. */
const TABS = [
  { to: '/flows/$id', label: 'Canvas', icon: Workflow },
  { to: '/flows/$id/documents', label: 'Documents', icon: FileText },
  { to: '/flows/$id/ask', label: 'Ask', icon: MessageCircleQuestionMark },
  { to: '/flows/$id/questions', label: 'Questions', icon: ListChecks },
  { to: '/flows/$id/history', label: 'History', icon: DatabaseZap },
  { to: '/flows/$id/api', label: 'API', icon: Code },
  { to: '/flows/$id/configuration', label: 'Configuration', icon: SlidersHorizontal },
  { to: '/flows/$id/revisions', label: 'Revisions', icon: History },
] as const

/** The tabs below the bar of a flow. Unsaved changes stay while another tab is open. */
export function FlowTabs({ id }: { id: string }) {
  const navigate = useNavigate()
  const row = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  useScrollToCurrent(row, pathname)
  // What is opened from a tab belongs to it.
  const opener = /\/compare\/?$/.test(pathname) ? '/flows/$id/questions' : undefined
  useActions(() =>
    TABS.map(({ to, label }) => ({
      id: `tab ${to}`,
      label,
      group: 'This flow',
      run: () => void navigate({ to, params: { id } }),
    })),
  )
  return (
    <nav className={styles.tabs} aria-label="Flow" ref={row}>
      {TABS.map(({ to, label, icon: Icon }) => (
        <Link
          key={to}
          to={to}
          params={{ id }}
          // The address of the canvas names the selected node.
          activeOptions={{ exact: to === '/flows/$id', includeSearch: false }}
          className={styles.tab}
          {...(to === opener ? { 'aria-current': 'true' as const } : {})}
        >
          <Icon aria-hidden="true" />
          {label}
        </Link>
      ))}
    </nav>
  )
}
