import { createContext, useContext } from 'react'
import { createStore, type StoreApi, useStore } from 'zustand'
import type { Command } from '../../drawing/commands.ts'
import type { FlowFile } from '../../drawing/flow-file.ts'
import { drawGraph, type Graph } from '../../drawing/graph.ts'
import { type History, openHistory, redo, run, saved, undo } from '../../drawing/history.ts'
import type { NodeKinds } from '../../drawing/node-kinds.ts'
import { type Problem, problemsByNode } from '../../drawing/problems.ts'

/** An open flow: its versions, what they show, and which nodes are selected. */
export type EditorState = {
  kinds: NodeKinds
  history: History
  graph: Graph
  /** What the server found at its last check of the drawing, in the order of its answer. */
  problems: readonly Problem[]
  /** The same by node. */
  problemsOf: ReadonlyMap<string | null, readonly Problem[]>
  selection: ReadonlySet<string>
  /** The last change in words, for people who do not see the canvas. */
  announcement: string
  /** Makes a change; every change goes through here. */
  run(command: Command, select?: readonly string[]): void
  undo(): void
  redo(): void
  /** The server has stored this version. */
  markSaved(file: FlowFile): void
  select(ids: Iterable<string>): void
  setProblems(problems: readonly Problem[]): void
  announce(text: string): void
}

export type Editor = StoreApi<EditorState>

/** Opens a flow file for editing. */
export function createEditor(file: FlowFile, kinds: NodeKinds): Editor {
  return createStore<EditorState>((set, get) => {
    const shown = (history: History, announcement: string) => {
      const graph = drawGraph(history.file, kinds)
      const ids = new Set(graph.nodes.map(({ id }) => id))
      const selection = new Set([...get().selection].filter((id) => ids.has(id)))
      return { history, graph, selection, announcement }
    }
    const graph = drawGraph(file, kinds)
    return {
      kinds,
      history: openHistory(file),
      graph,
      problems: [],
      problemsOf: new Map(),
      selection: new Set<string>(),
      announcement: '',
      run(command, select) {
        const { history } = get()
        const after = run(history, command)
        if (after === history) return
        set(shown(after, `Done: ${command.title}`))
        if (select) set({ selection: new Set(select) })
      },
      undo() {
        const { history } = get()
        const step = history.past.at(-1)
        if (step) set(shown(undo(history), `Undone: ${step.title}`))
      },
      redo() {
        const { history } = get()
        const [step] = history.future
        if (step) set(shown(redo(history), `Done again: ${step.title}`))
      },
      markSaved: (stored) => set({ history: saved(get().history, stored), announcement: 'Saved' }),
      setProblems: (problems) => set({ problems, problemsOf: problemsByNode(problems) }),
      select: (ids) => set({ selection: new Set(ids) }),
      announce: (announcement) => set({ announcement }),
    }
  })
}

export const EditorContext = createContext<Editor | undefined>(undefined)

/** The open editor. @throws Error outside of a flow screen */
export function useEditor(): Editor {
  const editor = useContext(EditorContext)
  if (!editor) throw new Error('there is no open flow here')
  return editor
}

/** A part of the state of the open editor. */
export const useEditorState = <T>(select: (state: EditorState) => T): T => useStore(useEditor(), select)
