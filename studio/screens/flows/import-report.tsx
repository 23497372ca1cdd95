import { CircleCheck, CircleHelp, TriangleAlert } from 'lucide-react'
import { ReportRows } from '../../parts/report-rows.tsx'
import type { FlowImport } from '../../server/flows.ts'
import styles from './import-report.module.css'

type Report = FlowImport['report']

/** What an imported flow still needs, and what changed on the way in. */
export function ImportReport({ name, report }: { name: string; report: Report }) {
  const { access } = report
  const { runs, rows } = report
  const asks = rows.filter(({ severity }) => severity === 'unsupported' || severity === 'needed')
  const changes = rows.filter(({ severity }) => severity === 'changed' || severity === 'dropped')
  const notes = rows.filter(({ severity }) => severity === 'note')
  const closed = access.state === 'closed'
  return (
    <section className={styles.report} aria-label={`Report on ${name}`}>
      <h3 className={styles.name}>
        {runs === 'yes' && !closed ? (
          <CircleCheck className={styles.good} />
        ) : (
          <TriangleAlert className={styles.bad} />
        )}
        {name}: {closed && runs === 'yes' ? READY.after : READY[runs]}
      </h3>
      {closed ? (
        <p className={styles.access}>
          It needed a key, which files do not contain: nobody but managers can call it until you choose one
        </p>
      ) : null}
      {access.notes.map((note) => (
        <p key={note} className={styles.access}>
          {note}
        </p>
      ))}
      <ReportRows rows={asks} />
      {access.state === 'closed' ? null : (
        <p className={styles.access}>
          {access.key
            ? `Access: callers need the key ${access.key.name}`
            : 'Access: open to all who can reach the server'}
        </p>
      )}
      <Folded title="What changed on the way in" rows={changes} />
      <Folded title="Worth knowing" rows={notes} />
    </section>
  )
}

const READY = {
  yes: 'ready to use',
  after: 'needs a few things before it works',
  no: 'cannot run here: it needs something that this server does not have',
}

function Folded({ title, rows }: { title: string; rows: Report['rows'] }) {
  if (rows.length === 0) return null
  return (
    <details>
      <summary>
        <CircleHelp aria-hidden="true" /> {title} ({rows.length})
      </summary>
      <ReportRows rows={rows} />
    </details>
  )
}

/** What an export has beside its flows: variables that came with them, and things that this server cannot hold. */
export function OthersReport({ rows }: { rows: Report['rows'] }) {
  if (rows.length === 0) return null
  return (
    <section className={styles.report} aria-label="Report on what is no flow">
      <h3 className={styles.name}>Beside the flows</h3>
      <ReportRows rows={rows} />
    </section>
  )
}
