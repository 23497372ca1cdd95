import { ThumbsDown, ThumbsUp } from 'lucide-react'
import type { Hit } from '../../../server/ask.ts'
import styles from './judge-hit.module.css'
import type { Judging } from './use-judging.ts'

/** Whether a hit answers the question, as the flow keeps it: two buttons that are saved at once. */
export function JudgeHit({ hit, place, judging }: { hit: Hit; place: number; judging: Judging }) {
  if (typeof hit.metadata.source !== 'string' || hit.metadata.source === '') return null
  const grade = judging.gradeOf(hit)
  return (
    <fieldset className={styles.judge} aria-label={`Judge chunk ${place}`}>
      <button
        type="button"
        aria-pressed={grade === 'right'}
        aria-keyshortcuts="g"
        title="This answers the question (g)"
        onClick={() => judging.judge(hit, 1)}
      >
        <ThumbsUp aria-hidden="true" /> Right answer
      </button>
      <button
        type="button"
        aria-pressed={grade === 'wrong'}
        aria-keyshortcuts="b"
        title="This does not answer the question (b)"
        onClick={() => judging.judge(hit, 0)}
      >
        <ThumbsDown aria-hidden="true" /> Wrong
      </button>
    </fieldset>
  )
}
