import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useEditor, useEditorState } from './editor.ts'

/** What the address of the canvas holds: the node whose inputs are open, and the run that is shown. */
export type CanvasSearch = { node?: string | undefined; run?: string | undefined }

export const readCanvasSearch = ({ node, run }: Record<string, unknown>): CanvasSearch => ({
  ...(typeof node === 'string' ? { node } : {}),
  ...(typeof run === 'string' ? { run } : {}),
})

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
    if (selected !== node) void navigate({ search: (all) => ({ ...all, node: selected }), replace: true })
  }, [editor, navigate, node, selected])
}
