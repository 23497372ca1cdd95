import { useStore, useUpdateNodeInternals } from '@xyflow/react'
import { TriangleAlert } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { isFrame } from '../../drawing/card-lines.ts'
import { type CardEnd, cardEnds } from '../../drawing/card-size.ts'
import type { DrawnNode } from '../../drawing/graph.ts'
import { CategoryIcon } from './category-icon.tsx'
import { useEditorState } from './editor.ts'
import styles from './far-card.module.css'
import { INPUT_HANDLE, OUTPUT_HANDLE } from './handles.ts'
import card from './node-card.module.css'

/** Below this zoom nobody can read the inputs of a card. */
const FAR = 0.4

/** Whether the canvas is seen from so far that cards are drawn without their inputs. */
export const useIsFar = (): boolean => useStore(({ transform }) => transform[2] < FAR)

type FarCardProps = { node: DrawnNode; width: number; height: number }

/** A card from far away: icon and title, as large as the whole card, so that nothing moves when the zoom changes. */
export function FarCard({ node, width, height }: FarCardProps) {
  const hasProblems = useEditorState((state) => state.problemsOf.has(node.id))
  const { inputs, outputs } = cardEnds(node, height)
  useEndsMeasured(node.id, [...inputs, ...outputs].map(({ name, top }) => `${name} ${top}`).join('\n'))
  return (
    <div
      className={`${card.card} ${styles.far}`}
      style={{ width, height }}
      data-far=""
      data-known={node.known}
      data-frame={isFrame(node)}
    >
      <CategoryIcon kind={node.kind} />
      <div className={styles.title} title={node.label}>
        {node.label}
      </div>
      {hasProblems ? <TriangleAlert aria-hidden="true" className={styles.problem} /> : null}
      <Ends ends={inputs} side="left" />
      <Ends ends={outputs} side="right" />
    </div>
  )
}

/** Where lines end. React Flow measures these elements as it does its own handles, which would cost more to draw. */
function Ends({ ends, side }: { ends: readonly CardEnd[]; side: 'left' | 'right' }) {
  return ends.map(({ name, top }) => (
    <span
      key={name}
      className={`react-flow__handle react-flow__handle-${side} ${side === 'left' ? 'target' : 'source'} ${styles.end}`}
      data-handleid={handleOf(name, side)}
      data-handlepos={side}
      style={{ top }}
    />
  ))
}

/** The ways out of a step are numbered. */
const handleOf = (name: string, side: 'left' | 'right') => {
  if (side === 'left') return name === '' ? INPUT_HANDLE : name
  return name === '' ? OUTPUT_HANDLE : `${OUTPUT_HANDLE}-${name}`
}

/** Tells React Flow that ends came, went or moved, which it sees by itself only where the size changes. */
function useEndsMeasured(id: string, ends: string): void {
  const update = useUpdateNodeInternals()
  const measured = useRef(ends)
  useEffect(() => {
    if (measured.current === ends) return
    measured.current = ends
    update(id)
  }, [id, ends, update])
}
