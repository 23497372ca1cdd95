import { LoadFailure } from './load-failure.tsx'
import styles from './load-state.module.css'

export type LoadStateProps = {
  /** What is read. */
  of: { error: unknown; isPending: boolean; refetch(): unknown }
  /** What was not loaded, before the reason. */
  what?: string
}

/** Says that the first answer of a query is waited for, or why its newest answer is not here; nothing beside what is up to date. */
export function LoadState({ of: { error, isPending, refetch }, what }: LoadStateProps) {
  return (
    <>
      <LoadFailure error={error} onAgain={refetch} what={what} />
      {isPending ? <Loading /> : null}
    </>
  )
}

/** What stands in the place of what is being loaded. */
export const Loading = () => <p className={styles.loading}>Loading…</p>
