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
import styles from './category-icon.module.css'

const ICONS: Readonly<Record<string, [icon: typeof Box, colour: string]>> = {
  'Agent Flows': [Workflow, 'violet'],
  Agents: [Bot, 'violet'],
  Chains: [Link2, 'violet'],
  'Chat Models': [MessageSquareText, 'blue'],
  'Document Loaders': [FileText, 'amber'],
  Embeddings: [Waypoints, 'teal'],
  Memory: [Brain, 'pink'],
  'Record Manager': [ListChecks, 'slate'],
  Rerankers: [ArrowDownWideNarrow, 'teal'],
  Retrievers: [Search, 'teal'],
  'Text Splitters': [Scissors, 'orange'],
  Tools: [Wrench, 'blue'],
  'Tools (MCP)': [Plug, 'blue'],
  Utilities: [StickyNote, 'amber'],
  'Vector Stores': [Database, 'green'],
}

/** The sign of a category; a category that is not in the list has a box, a node without one a question mark. */
export function CategoryIcon({ category }: { category: string }) {
  const [Icon, colour] = ICONS[category] ?? [category === '' ? CircleHelp : Box, 'slate']
  return (
    <span className={`${styles.icon} ${styles[colour]}`} aria-hidden="true">
      <Icon />
    </span>
  )
}
