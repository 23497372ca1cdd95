import {
  ArrowDownWideNarrow,
  Bot,
  Box,
  Brain,
  CircleHelp,
  Database,
  FileText,
  Link2,
  ListChecks,
  MessageSquareText,
  Plug,
  Scissors,
  Search,
  StickyNote,
  Waypoints,
  Workflow,
  Wrench,
} from 'lucide-react'
import type { NodeKindAnswer } from '../../../src/api/node.ts'
import styles from './category-icon.module.css'

/** The icons that the server names for node kinds; another one is shown as a box. */
const ICONS: Readonly<Record<string, typeof Box>> = {
  'arrow-down-wide-narrow': ArrowDownWideNarrow,
  bot: Bot,
  brain: Brain,
  'circle-help': CircleHelp,
  database: Database,
  'file-text': FileText,
  'link-2': Link2,
  'list-checks': ListChecks,
  'message-square-text': MessageSquareText,
  plug: Plug,
  scissors: Scissors,
  search: Search,
  'sticky-note': StickyNote,
  waypoints: Waypoints,
  workflow: Workflow,
  wrench: Wrench,
}

/** The icon of a node kind in its colour. */
export function CategoryIcon({ kind: { icon, colour } }: { kind: Pick<NodeKindAnswer, 'icon' | 'colour'> }) {
  const Icon = ICONS[icon] ?? Box
  return (
    <span className={`${styles.icon} ${styles[colour] ?? ''}`} aria-hidden="true">
      <Icon />
    </span>
  )
}
