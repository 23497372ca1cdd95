import type { ReportRowAnswer } from '../../src/api/flow-report.ts'
import styles from './report-rows.module.css'

/** Rows of a report on a flow, as the server and the command line say them: what it is, and what to do or to use instead. */
export function ReportRows({ rows }: { rows: readonly ReportRowAnswer[] }) {
  if (rows.length === 0) return null
  return (
    <ul className={styles.rows}>
      {rows.map(({ nodeId, node, input, what, instead }) => (
        <li key={`${nodeId} ${node} ${input} ${what}`}>
          {node === null && input === null ? null : (
            <strong>{[node, input].filter((part) => part !== null).join(' › ')}: </strong>
          )}
          {what}
          {instead === null ? null : <span className={styles.instead}>{instead}</span>}
        </li>
      ))}
    </ul>
  )
}
