import styles from './stores.module.css'
import type { StateWords } from './store-words.ts'

/** A state as a coloured word, with the reason below it. */
export function StateMark({ word, tone, why }: StateWords) {
  return (
    <span className={styles.state} title={why}>
      <span className={styles.mark} data-tone={tone}>
        {word}
      </span>
      {why === undefined ? null : <span className={styles.why}>{why}</span>}
    </span>
  )
}
