import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useEditor, useEditorState } from './editor.ts'

/** What the address of the canvas holds: the node whose inputs are open. */
export type CanvasSearch = { node?: string }

export const readCanvasSearch = ({ node }: Record<string, unknown>): CanvasSearch =>
  typeof node === 'string' ? { node } : {}

/** Selects the node of the address, and keeps the selected node there, so that a link leads to it. */
export function useNodeInAddress(): void {
  const editor = useEditor()
  const { node } = useSearch({ from: '/flows/$id/' })
  const navigate = useNavigate({ from: '/flows/$id/' })
  const selected = useEditorState(({ selection }) => (selection.size === 1 ? [...selection][0] : undefined))
  const isOpened = useRef(false)
  useEffect(() => {
    if (!isOpened.current) {
      isOpened.current = true
      if (node !== undefined) {
        const { graph, select } = editor.getState()
        select(graph.nodes.filter(({ id }) => id === node).map(({ id }) => id))
        return
      }
    }
    if (selected !== node)
      void navigate({ search: selected === undefined ? {} : { node: selected }, replace: true })
  }, [editor, navigate, node, selected])
}
