import { type ReactFlowInstance, useNodesInitialized, useReactFlow, useStore } from '@xyflow/react'
import { useSearch } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState } from 'react'

/**
 * Keeps the selected node in sight: the panel of its inputs takes a part of the canvas when it opens. A node to which the
 * address led is shown as large as it fits there, also when the window changes, until a person moves the canvas.
 *
 * @returns a function that ends the latter
 */
export function useSelectedInSight(selected: string | undefined): () => void {
  const { node } = useSearch({ from: '/flows/$id/' })
  const [linked, setLinked] = useState(node)
  const { fitView, getViewport, setViewport } = useReactFlow()
  const isDrawn = useNodesInitialized()
  const width = useStore((state) => state.width)
  const height = useStore((state) => state.height)

  const isLinked = selected !== undefined && selected === linked
  // biome-ignore lint/correctness/useExhaustiveDependencies: another size of the canvas needs another zoom
  useEffect(() => {
    if (!isLinked || !isDrawn) return
    const frame = requestAnimationFrame(
      () => void fitView({ nodes: [{ id: selected }], maxZoom: 1, padding: 0.1 }),
    )
    return () => cancelAnimationFrame(frame)
  }, [selected, isLinked, isDrawn, width, height, fitView])

  const show = useEffectEvent((id: string) => {
    if (id === linked) return
    setLinked(undefined)
    bringIntoView(id, getViewport, setViewport)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: a node may be out of sight on a smaller canvas
  useEffect(() => {
    if (selected === undefined) return
    const frame = requestAnimationFrame(() => show(selected))
    return () => cancelAnimationFrame(frame)
  }, [selected, width, height])

  return () => setLinked(undefined)
}

/** Moves the canvas as little as needed for a node to be seen whole. */
function bringIntoView(
  id: string,
  getViewport: ReactFlowInstance['getViewport'],
  setViewport: ReactFlowInstance['setViewport'],
): void {
  const box = document
    .querySelector(`.react-flow__node[data-id="${CSS.escape(id)}"]`)
    ?.getBoundingClientRect()
  const frame = document.querySelector('.react-flow')?.getBoundingClientRect()
  if (!box || !frame) return
  const margin = 24
  const shift = (from: number, to: number, start: number, end: number) =>
    to > end - margin ? end - margin - to : from < start + margin ? start + margin - from : 0
  const dx = shift(box.left, box.right, frame.left, frame.right)
  const dy = shift(box.top, box.bottom, frame.top, frame.bottom)
  if (dx === 0 && dy === 0) return
  const { x, y, zoom } = getViewport()
  void setViewport({ x: x + dx, y: y + dy, zoom }, { duration: 150 })
}
