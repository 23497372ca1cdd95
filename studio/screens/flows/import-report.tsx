import { CircleCheck, CircleHelp, TriangleAlert } from 'lucide-react'
import type { FlowImport } from '../../server/flows.ts'
import styles from './import-report.module.css'

type Report = FlowImport['report']

/** What an imported flow still needs, and what changed on the way in. */
export function ImportReport({ name, report }: { name: string; report: Report }) {
  const { access } = report
  const asks = [
    ...(access.state === 'closed'
      ? ['It needed a key, which files do not contain: nobody but managers can call it until you choose one']
      : []),
    ...access.notes,
    ...report.unsupported.map(({ label, name: kind }) => `${label}: this server has no node ${kind}`),
    ...report.credentials.map(({ label, kinds }) => `${label} needs a credential (${kinds.join(' or ')})`),
    ...report.files.map(
      ({ label, accepts }) => `${label} needs a file (${accepts}), here or with each upsert`,
    ),
    ...report.missing.map(({ label, input, what, named }) =>
      named === ''
        ? `${label} needs a ${what}: ${input} is empty`
        : `${label} refers to a ${what} that is not here: ${named}`,
    ),
  ]
  const changes = [
    ...report.replaced.map(({ label, name: kind, by }) => `${label}: ${kind} became ${by}`),
    ...report.defaulted.map(({ label, input, reason }) => `${label}: ${input} has its default, ${reason}`),
    ...report.leftOut.map(({ node, input }) => `${node}: the export left out ${input}`),
    ...report.ignored.map(({ label, input }) => `${label}: ${input} has no effect here`),
  ]
  return (
    <section className={styles.report} aria-label={`Report on ${name}`}>
      <h3 className={styles.name}>
        {asks.length === 0 ? (
          <CircleCheck className={styles.good} />
        ) : (
          <TriangleAlert className={styles.bad} />
        )}
        {name}: {asks.length === 0 ? 'ready to use' : 'needs a few things before it works'}
      </h3>
      {asks.length === 0 ? null : (
        <ul className={styles.asks}>
          {asks.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
      {report.experimental.length === 0 ? null : (
        <p className={styles.access}>
          Experimental, not tested with the product itself:{' '}
          {report.experimental.map(({ label }) => label).join(', ')}
        </p>
      )}
      {access.state === 'closed' ? null : (
        <p className={styles.access}>
          {access.key
            ? `Access: callers need the key ${access.key.name}`
            : 'Access: open to all who can reach the server'}
        </p>
      )}
      {changes.length === 0 ? null : (
        <details>
          <summary>
            <CircleHelp aria-hidden="true" /> What changed on the way in ({changes.length})
          </summary>
          <ul className={styles.changes}>
            {changes.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </details>
      )}
    </section>
  )
}
