import { useQuery } from '@tanstack/react-query'
import { LoadFailure } from '../../parts/load-failure.tsx'
import { loadPart } from '../../server/load-part.ts'
import { isLong } from './part-text.ts'
import styles from './text-changes.module.css'

type TextChangesProps = { before: string; after: string }

/** What became of a text: both values where they are short, otherwise line by line. */
export function TextChanges({ before, after }: TextChangesProps) {
  if (isLong(before, after)) return <Lines before={before} after={after} />
  return (
    <p className={styles.short}>
      {before === '' ? <span className={styles.empty}>empty</span> : <del>{before}</del>}
      <span aria-hidden="true"> → </span>
      {after === '' ? <span className={styles.empty}>empty</span> : <ins>{after}</ins>}
    </p>
  )
}

/** How many unchanged lines stay visible around a change. */
const AROUND = 3

function Lines({ before, after }: TextChangesProps) {
  // The package is loaded when the first long text is compared.
  const {
    data: parts,
    error,
    refetch,
  } = useQuery({
    queryKey: ['text-changes', before, after],
    queryFn: async () => (await loadPart(() => import('diff'))).diffLines(before, after),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  if (error) return <LoadFailure error={error} what="The texts cannot be compared" onAgain={refetch} />
  if (!parts) return <p className={styles.empty}>Comparing…</p>
  return (
    <pre className={styles.lines}>
      {parts.map(({ added, removed, value }, at) => {
        const key = `${at}`
        if (added) return <ins key={key}>{signed('+', value)}</ins>
        if (removed) return <del key={key}>{signed('−', value)}</del>
        return <span key={key}>{signed(' ', shortened(value, at > 0, at < parts.length - 1))}</span>
      })}
    </pre>
  )
}

const signed = (sign: string, text: string): string =>
  `${text
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => `${sign} ${line}`)
    .join('\n')}\n`

/** Unchanged lines, without those far from a change. */
function shortened(text: string, changeBefore: boolean, changeAfter: boolean): string {
  const lines = text.replace(/\n$/, '').split('\n')
  const first = changeBefore ? AROUND : 0
  const last = changeAfter ? AROUND : 0
  if (lines.length <= first + last + 1) return text
  return [
    ...lines.slice(0, first),
    `… ${lines.length - first - last} unchanged lines`,
    ...(last === 0 ? [] : lines.slice(-last)),
  ].join('\n')
}
