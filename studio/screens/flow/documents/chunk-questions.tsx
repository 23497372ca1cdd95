import type { SourceQuestionsAnswer } from '../../../../src/api/source-trace.ts'
import { momentText } from '../../../parts/units.ts'
import styles from './document-screen.module.css'

type ChunkQuestionsProps = { found: SourceQuestionsAnswer['data'][number] | undefined }

/** The last questions whose answers had a chunk among their sources. */
export function ChunkQuestions({ found }: ChunkQuestionsProps) {
  if (!found) return null
  return (
    <div className={styles.questions}>
      <h3>Questions that found it</h3>
      <ul>
        {found.questions.map(({ messageId, question, rank, at }) => (
          <li key={messageId}>
            {question}{' '}
            <small>
              as source {rank}, {momentText(at)}
            </small>
          </li>
        ))}
      </ul>
    </div>
  )
}
