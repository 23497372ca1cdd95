import styles from './counts.module.css'
import { numberText } from './units.ts'

/** A few numbers side by side, each below its name. */
export function Counts({
  counts,
}: {
  counts: readonly (readonly [label: string, value: number | string])[]
}) {
  return (
    <dl className={styles.counts}>
      {counts.map(([label, value]) => (
        <div key={label} className={styles.count}>
          <dt>{label}</dt>
          <dd>{typeof value === 'number' ? numberText(value) : value}</dd>
        </div>
      ))}
    </dl>
  )
}
