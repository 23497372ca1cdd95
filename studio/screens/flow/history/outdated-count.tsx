import { numberText } from '../../../parts/units.ts'
import type { PastUpsert } from '../../../server/upsert-history.ts'
import styles from './outdated-count.module.css'

type Result = PastUpsert['result']

/** How many chunks of earlier versions an upsert has left; 0 where it does not say. */
export const outdatedOf = ({ numOutdated }: Result): number =>
  typeof numOutdated === 'number' ? numOutdated : 0

/** Tells in a row of the history that chunks of earlier versions stayed. */
export function OutdatedCount({ result }: { result: Result }) {
  const count = outdatedOf(result)
  if (count === 0) return null
  return (
    <span
      className={styles.outdated}
      title="Chunks of earlier versions of the documents that are still found after this upsert"
    >
      {numberText(count)} outdated
    </span>
  )
}
