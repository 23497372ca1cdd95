import { EdgeLabelRenderer, type EdgeProps, getBezierPath } from '@xyflow/react'
import { passedText } from '../../../parts/run-words.ts'
import styles from './line-count.module.css'
import { lineKey } from './run-at-step.ts'
import { useShownRun } from './shown-run.tsx'

type LineEnds = Pick<
  EdgeProps,
  'source' | 'target' | 'sourceX' | 'sourceY' | 'targetX' | 'targetY' | 'sourcePosition' | 'targetPosition'
>

/** How much passed a line in the run that the canvas shows. A click shows the last three items. */
export function LineCount({ name, ends }: { name: string | undefined; ends: LineEnds }) {
  const { lines, line: chosen, setLine } = useShownRun()
  const key = lineKey(ends.source, ends.target)
  const line = lines.get(key)
  if (!line) return null
  const [, x, y] = getBezierPath(ends)
  const text = passedText(line)
  return (
    <EdgeLabelRenderer>
      <button
        type="button"
        className={`${styles.count} nodrag nopan`}
        style={{ transform: `translate(-50%, -50%) translate(${x}px, ${y}px)` }}
        aria-label={`${text}: ${name ?? 'a line'}. Show the last ones`}
        aria-expanded={chosen === key}
        data-line={key}
        onClick={() => setLine(chosen === key ? undefined : key)}
      >
        {text}
      </button>
    </EdgeLabelRenderer>
  )
}
