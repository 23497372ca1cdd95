import { countText, millisecondsText } from '../../../parts/units.ts'
import { NodeFigures } from '../upsert/node-figures.tsx'
import figures from '../upsert/node-figures.module.css'
import { useUpserting } from '../upsert/upserting.tsx'
import styles from './node-run.module.css'
import type { ShownNode } from './run-at-step.ts'
import { useShownRun } from './shown-run.tsx'

/** What passed a node in the run that the canvas shows: a bar at the bottom of its card, with counts and time below. */
export function NodeRun({ id }: { id: string }) {
  const { run, nodes } = useShownRun()
  const { upsert, preview } = useUpserting()
  const node = nodes.get(id)
  if (!run || !node) return <NodeFigures id={id} />
  const live = [upsert.job, preview.job].some((job) => job?.id === run.id)
  const goesOn = run.state === 'INPROGRESS'
  const text = factsOf(node).join(' · ')
  return (
    <>
      {node.look === undefined || node.look === 'later' ? null : (
        <span className={styles.track} aria-hidden="true">
          <span className={styles.bar} data-look={node.look} data-going={goesOn} />
        </span>
      )}
      {live ? (
        <NodeFigures id={id} />
      ) : text === '' || node.look === 'later' ? null : (
        <p
          className={figures.figures}
          data-running={goesOn}
          data-errors={node.look === 'ERROR'}
          title={`In the run that is shown: ${text}`}
        >
          {text}
        </p>
      )}
    </>
  )
}

const WORDS: Readonly<Record<string, string>> = {
  ...{ files: 'file', documents: 'document', chunks: 'chunk', errors: 'error' },
  ...{ turns: 'turn', tokens: 'token', calls: 'call', hits: 'hit', questions: 'question' },
}

const factsOf = ({ counts, ms, look }: ShownNode): string[] => [
  ...(look === 'ERROR' ? ['failed'] : look === 'TERMINATED' ? ['stopped'] : []),
  ...Object.entries(counts).map(([what, count]) =>
    WORDS[what] === undefined ? `${count.toLocaleString('en')} ${what}` : countText(count, WORDS[what]),
  ),
  ...(ms > 0 ? [millisecondsText(ms)] : []),
]
