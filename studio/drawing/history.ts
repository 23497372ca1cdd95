import type { Command } from './commands.ts'
import type { FlowFile } from './flow-file.ts'

type Step = { title: string; merge?: string; before: FlowFile; after: FlowFile }

/** A drawing with what can be undone and redone, and the version that the server has. */
export type History = {
  file: FlowFile
  saved: FlowFile
  past: readonly Step[]
  future: readonly Step[]
}

/** How many changes can be undone; versions share what did not change. */
export const UNDO_LIMIT = 500

export const openHistory = (file: FlowFile): History => ({ file, saved: file, past: [], future: [] })

export const isDirty = ({ file, saved }: History): boolean => file !== saved

/** Runs a command. A command that changes nothing leaves no step. */
export function run(history: History, { title, merge, apply }: Command): History {
  const { file, past, saved } = history
  const after = apply(file)
  if (after === file) return history
  const last = past.at(-1)
  // A step that ends with the saved version stays, so that undo can come back to it.
  if (merge !== undefined && last?.merge === merge && last.after !== saved)
    return { ...history, file: after, past: [...past.slice(0, -1), { ...last, after }], future: [] }
  const step: Step = { title, ...(merge === undefined ? {} : { merge }), before: file, after }
  return { ...history, file: after, past: [...past.slice(1 - UNDO_LIMIT), step], future: [] }
}

export function undo(history: History): History {
  const last = history.past.at(-1)
  if (!last) return history
  return {
    ...history,
    file: last.before,
    past: history.past.slice(0, -1),
    future: [last, ...history.future],
  }
}

export function redo(history: History): History {
  const [next, ...future] = history.future
  if (!next) return history
  return { ...history, file: next.after, past: [...history.past, next], future }
}

/** The server has this version; changes that came while it was being saved stay unsaved. */
export const saved = (history: History, file: FlowFile): History => ({ ...history, saved: file })
