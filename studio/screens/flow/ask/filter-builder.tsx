import { Plus, Trash2 } from 'lucide-react'
import { useEffect, useId, useState } from 'react'
import { Button } from '../../../parts/button.tsx'
import type { MetadataField } from '../../../server/ask.ts'
import styles from './filter-builder.module.css'
import { FILTER_TESTS, type FilterRow, type FilterTest, filterOf, rowsOf } from './filter-rows.ts'

type FilterBuilderProps = {
  fields: readonly MetadataField[]
  filter: Record<string, unknown> | undefined
  onFilter(filter: Record<string, unknown> | undefined): void
}

const NEW_ROW: FilterRow = { field: '', test: 'is', value: '' }

/** Conditions on metadata, as rows or as JSON. Fields and values that the chunks have are suggested. */
export function FilterBuilder({ fields, filter, onFilter }: FilterBuilderProps) {
  const [rows, setRows] = useState<FilterRow[] | undefined>(() => startRows(filter))
  const [json, setJson] = useState(() => (filter ? JSON.stringify(filter, null, 2) : ''))
  const [problem, setProblem] = useState<string>()
  const names = useId()
  const written = JSON.stringify(filter)
  // A filter from elsewhere, such as an earlier question, replaces what is here.
  useEffect(() => {
    const next = written === undefined ? undefined : (JSON.parse(written) as Record<string, unknown>)
    setRows((shown) => (shown && JSON.stringify(filterOf(shown)) === written ? shown : startRows(next)))
    setJson(next ? JSON.stringify(next, null, 2) : '')
  }, [written])

  const change = (next: FilterRow[]) => {
    setRows(next)
    const made = filterOf(next)
    if (JSON.stringify(made) !== written) onFilter(made)
  }
  const readJson = () => {
    if (json.trim() === '') return onFilter(undefined)
    try {
      const value: unknown = JSON.parse(json)
      if (typeof value !== 'object' || value === null || Array.isArray(value))
        return setProblem('A filter is an object, such as {"source": "a.txt"}')
      setProblem(undefined)
      onFilter(value as Record<string, unknown>)
    } catch (error) {
      setProblem(error instanceof Error ? error.message : 'This is not JSON')
    }
  }

  if (rows === undefined)
    return (
      <div className={styles.filter}>
        <textarea
          className={styles.json}
          aria-label="Filter as JSON"
          aria-invalid={problem !== undefined}
          value={json}
          spellCheck={false}
          rows={4}
          onChange={(event) => setJson(event.target.value)}
          onBlur={readJson}
        />
        {problem === undefined ? null : (
          <p className={styles.problem} role="alert">
            {problem}
          </p>
        )}
        <div className={styles.actions}>
          <Button onClick={readJson}>Apply</Button>
          {rowsOf(filter) ? (
            <Button look="quiet" onClick={() => setRows(startRows(filter))}>
              As rows
            </Button>
          ) : (
            <span className={styles.about}>Rows cannot show this filter.</span>
          )}
        </div>
      </div>
    )
  return (
    <div className={styles.filter}>
      <datalist id={names}>
        {fields.map(({ field, chunks }) => (
          <option key={field} value={field}>{`${chunks} chunks`}</option>
        ))}
      </datalist>
      {rows.map((row, at) => (
        <Row
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity but their place
          key={at}
          row={row}
          names={names}
          values={fields.find(({ field }) => field === row.field)?.values ?? []}
          onRow={(next) => change(rows.with(at, next))}
          onRemove={() => change(rows.length === 1 ? [NEW_ROW] : rows.toSpliced(at, 1))}
        />
      ))}
      <div className={styles.actions}>
        <Button look="quiet" onClick={() => setRows([...rows, NEW_ROW])}>
          <Plus aria-hidden="true" /> Condition
        </Button>
        <Button look="quiet" onClick={() => setRows(undefined)}>
          As JSON
        </Button>
        <span className={styles.about}>All conditions must hold.</span>
      </div>
    </div>
  )
}

function startRows(filter: Record<string, unknown> | undefined): FilterRow[] | undefined {
  const rows = rowsOf(filter)
  return rows?.length === 0 ? [NEW_ROW] : rows
}

type RowProps = {
  row: FilterRow
  names: string
  values: readonly (string | number | boolean)[]
  onRow(row: FilterRow): void
  onRemove(): void
}

function Row({ row, names, values, onRow, onRemove }: RowProps) {
  const list = useId()
  const [value, setValue] = useState(row.value)
  useEffect(() => setValue(row.value), [row.value])
  const apply = () => value !== row.value && onRow({ ...row, value })
  return (
    <div className={styles.row}>
      <input
        aria-label="Field"
        placeholder="Field"
        list={names}
        value={row.field}
        onChange={(event) => onRow({ ...row, field: event.target.value })}
      />
      <select
        aria-label="Test"
        value={row.test}
        onChange={(event) => {
          const test = event.target.value as FilterTest
          onRow({ ...row, test, value: test === 'exists' ? 'yes' : value })
        }}
      >
        {Object.keys(FILTER_TESTS).map((test) => (
          <option key={test}>{test}</option>
        ))}
      </select>
      {row.test === 'exists' ? (
        <select
          aria-label="Value"
          value={row.value}
          onChange={(event) => onRow({ ...row, value: event.target.value })}
        >
          <option>yes</option>
          <option>no</option>
        </select>
      ) : (
        <>
          <input
            aria-label="Value"
            placeholder={row.test === 'is one of' ? 'one, another' : 'Value'}
            list={list}
            value={value}
            onChange={(event) => setValue(event.target.value)}
            onBlur={apply}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return
              event.preventDefault()
              apply()
            }}
          />
          <datalist id={list}>
            {values.map((one) => (
              <option key={String(one)} value={String(one)} />
            ))}
          </datalist>
        </>
      )}
      <Button look="quiet" square aria-label="Remove the condition" onClick={onRemove}>
        <Trash2 aria-hidden="true" />
      </Button>
    </div>
  )
}
