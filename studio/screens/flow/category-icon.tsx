import {
  ArrowDownWideNarrow,
  Bot,
  Box,
  Braces,
  Brain,
  CircleHelp,
  Code,
  Database,
  FileText,
  GitFork,
  Globe,
  Link2,
  ListChecks,
  MessageSquareText,
  Play,
  Plug,
  Repeat2,
  Reply,
  Scissors,
  Search,
  Shield,
  Sparkles,
  Split,
  StickyNote,
  TextQuote,
  Undo2,
  UserCheck,
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
  braces: Braces,
  brain: Brain,
  'circle-help': CircleHelp,
  code: Code,
  database: Database,
  'file-text': FileText,
  'git-fork': GitFork,
  globe: Globe,
  'link-2': Link2,
  'list-checks': ListChecks,
  'message-square-text': MessageSquareText,
  play: Play,
  plug: Plug,
  'repeat-2': Repeat2,
  reply: Reply,
  scissors: Scissors,
  search: Search,
  shield: Shield,
  sparkles: Sparkles,
  split: Split,
  'sticky-note': StickyNote,
  'text-quote': TextQuote,
  'undo-2': Undo2,
  'user-check': UserCheck,
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
