import { Link } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { useId, useState } from 'react'
import type { Json } from '../../../drawing/flow-file.ts'
import type { NodeInput } from '../../../drawing/node-kinds.ts'
import { NodeInputField } from '../../../forms/node-input.tsx'
import { useEditorState } from '../editor.ts'
import { type OverrideRow, reasonText } from './chosen-overrides.ts'
import styles from './show-api.module.css'

type OverrideListProps = {
  /** The name of the flow in its address. */
  flow: string
  rows: readonly OverrideRow[]
  chosen: Readonly<Record<string, Json>>
  /** @param value undefined where the override is not chosen any more */
  onChoose(key: string, value: Json | undefined): void
}

/** The overrides of a request: those that the flow allows can be chosen, the others have the reason beside them. */
export function OverrideList({ flow, rows, chosen, onChoose }: OverrideListProps) {
  const [search, setSearch] = useState('')
  const wanted = search.trim().toLowerCase()
  const found = rows.filter(({ name, label, node }) =>
    `${name} ${label} ${node?.label ?? ''} ${node?.id ?? ''}`.toLowerCase().includes(wanted),
  )
  const allowed = found.filter(({ enabled }) => enabled)
  const closed = found.filter(({ enabled }) => !enabled)
  return (
    <aside className={styles.overrides} aria-label="Overrides">
      <h2>Overrides</h2>
      <p className={styles.quiet}>What a request may set in place of the flow.</p>
      {rows.length > 8 ? (
        <label className={styles.search}>
          <Search aria-hidden="true" />
          <input
            type="search"
            aria-label="Search overrides"
            placeholder="Search"
            value={search}
            onChange={(event) => setSearch(event.target.value)}
          />
        </label>
      ) : null}
      {allowed.length === 0 && wanted === '' ? (
        <p className={styles.quiet}>
          This flow allows none for this request.{' '}
          <Link to="/flows/$id/configuration" params={{ id: flow }} hash="overrides">
            Allow some in Configuration
          </Link>
        </p>
      ) : null}
      <ul className={styles.rows}>
        {allowed.map((row) => (
          <Chosen key={row.key} row={row} value={chosen[row.key]} onChoose={onChoose} />
        ))}
      </ul>
      {closed.length === 0 ? null : (
        <details open={wanted !== ''} className={styles.closed}>
          <summary>{closed.length} not allowed</summary>
          <ul className={styles.rows}>
            {closed.map((row) => (
              <li key={row.key} className={styles.row}>
                <div className={styles.rowHead}>
                  <span className={styles.rowName} title={row.name}>
                    {row.label}
                  </span>
                  <Link
                    to="/flows/$id/configuration"
                    params={{ id: flow }}
                    search={{ search: row.name }}
                    hash="overrides"
                    aria-label={`Allow ${row.label}`}
                  >
                    Allow
                  </Link>
                </div>
                <p className={styles.reason}>
                  {row.node ? `${row.node.label}. ` : ''}
                  {reasonText(row)}
                </p>
              </li>
            ))}
          </ul>
        </details>
      )}
    </aside>
  )
}

type ChosenProps = { row: OverrideRow; value: Json | undefined; onChoose: OverrideListProps['onChoose'] }

function Chosen({ row, value, onChoose }: ChosenProps) {
  const id = useId()
  const kinds = useEditorState((state) => state.kinds)
  const { key, name, label, type, node } = row
  const input: NodeInput = {
    ...(node && kinds.get(node.name)?.inputs.find((one) => one.name === name)),
    ...{ name, type, label: `Value of ${label}`, optional: true },
  }
  // The help of the node stands on the canvas; here it would stand between the rows.
  const { description: _, ...plain } = input
  return (
    <li className={styles.row}>
      <label className={styles.rowHead}>
        <input
          type="checkbox"
          checked={value !== undefined}
          onChange={(event) => onChoose(key, event.target.checked ? row.value : undefined)}
        />
        <span className={styles.rowName} title={name}>
          {label}
        </span>
        <span className={styles.rowNode} title={node?.id}>
          {node?.label ?? 'request'}
        </span>
      </label>
      {value === undefined ? null : (
        <div className={styles.value}>
          <NodeInputField id={id} input={plain} value={value} onChange={(next) => onChoose(key, next)} />
        </div>
      )}
    </li>
  )
}
