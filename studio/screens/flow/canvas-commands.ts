import type { Shortcut } from './shortcuts.ts'

/** The commands of the canvas that the palette lists, with their keys. */
export const COMMANDS: readonly { shortcut: Shortcut; label: string; keys: string }[] = [
  { shortcut: 'save', label: 'Save the flow', keys: 'Ctrl S' },
  { shortcut: 'undo', label: 'Undo', keys: 'Ctrl Z' },
  { shortcut: 'redo', label: 'Redo', keys: 'Ctrl Shift Z' },
  { shortcut: 'duplicate', label: 'Duplicate the selected nodes', keys: 'Ctrl D' },
  { shortcut: 'select-all', label: 'Select all nodes', keys: 'Ctrl A' },
  { shortcut: 'search-nodes', label: 'Search nodes to add', keys: '/' },
  { shortcut: 'connect', label: 'Connect the selected node', keys: 'C' },
  { shortcut: 'outline', label: 'Outline of the canvas', keys: 'O' },
  { shortcut: 'text', label: 'Flow as text', keys: 'Alt T' },
  { shortcut: 'run', label: 'This run: steps and earlier runs', keys: 'R' },
  { shortcut: 'help', label: 'Keys of the canvas', keys: '?' },
  { shortcut: 'rename', label: 'Rename the selected node', keys: 'F2' },
  { shortcut: 'deselect', label: 'Deselect', keys: 'Esc' },
]
