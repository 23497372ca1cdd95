import { Link } from '@tanstack/react-router'
import { ArrowDown, ArrowUp, Undo2 } from 'lucide-react'
import { Button } from '../../../parts/button.tsx'
import { agoText, momentText, numberText, sizeText } from '../../../parts/units.ts'
import type { Source } from '../../../server/documents.ts'
import styles from './document-table.module.css'
import { type DocumentSearch, type DocumentSort, sortedBy, startsUp } from './find-documents.ts'

const COLUMNS: { sort: DocumentSort; title: string; right?: true }[] = [
  { sort: 'name', title: 'Name' },
  { sort: 'size', title: 'Size', right: true },
  { sort: 'chunks', title: 'Chunks', right: true },
  { sort: 'updated', title: 'Last change' },
]

type DocumentTableProps = {
  flow: string
  rows: Source[]
  search: DocumentSearch
  chosen: ReadonlySet<string>
  onSearch(search: DocumentSearch): void
  onChoose(chosen: ReadonlySet<string>): void
  /** Given where the rows are removed documents. */
  onRestore: ((source: string) => void) | undefined
}

/** A page of documents as a table that is sorted by its heads. */
export function DocumentTable(props: DocumentTableProps) {
  const { flow, rows, search, chosen, onSearch, onChoose, onRestore } = props
  const { sort = 'name', up = startsUp(sort) } = search
  const all = rows.every(({ source }) => chosen.has(source))
  const choose = (sources: string[], on: boolean) => {
    const next = new Set(chosen)
    for (const source of sources) on ? next.add(source) : next.delete(source)
    onChoose(next)
  }
  return (
    <table className={styles.table} aria-label={onRestore ? 'Removed documents' : 'Documents'}>
      <thead>
        <tr>
          <th scope="col" className={styles.mark}>
            <input
              type="checkbox"
              aria-label="Select all on this page"
              checked={all}
              onChange={(event) =>
                choose(
                  rows.map(({ source }) => source),
                  event.target.checked,
                )
              }
            />
          </th>
          {COLUMNS.map(({ sort: column, title, right }) => (
            <th
              key={column}
              scope="col"
              data-right={right}
              aria-sort={sort === column ? (up ? 'ascending' : 'descending') : 'none'}
            >
              <button type="button" onClick={() => onSearch(sortedBy(search, column))}>
                {title}
                {sort === column ? (
                  up ? (
                    <ArrowUp aria-hidden="true" />
                  ) : (
                    <ArrowDown aria-hidden="true" />
                  )
                ) : null}
              </button>
            </th>
          ))}
          <th scope="col">
            <span className={styles.plainHead}>{onRestore ? 'Restorable until' : 'Last job'}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.source} data-chosen={chosen.has(row.source)}>
            <td className={styles.mark}>
              <input
                type="checkbox"
                aria-label={`Select ${row.source}`}
                checked={chosen.has(row.source)}
                onChange={(event) => choose([row.source], event.target.checked)}
              />
            </td>
            <th scope="row" className={styles.name} title={row.source}>
              {onRestore ? (
                row.source
              ) : (
                <Link to="/flows/$id/documents/$source" params={{ id: flow, source: row.source }} search={{}}>
                  {row.source}
                </Link>
              )}
            </th>
            <td data-right="true">{lengthText(row)}</td>
            <td data-right="true">
              {numberText(row.chunks)}
              {row.changedSettings.length > 0 ? (
                <span className={styles.warned} title={`Loaded before: ${row.changedSettings.join(', ')}`}>
                  other settings
                </span>
              ) : null}
              {row.outdated > 0 ? (
                <span
                  className={styles.warned}
                  title="Chunks of earlier versions of the document that are still found"
                >
                  {numberText(row.outdated)} outdated
                </span>
              ) : null}
            </td>
            <td>
              <span title={momentText(row.updatedAt)}>{agoText(row.updatedAt)}</span>
            </td>
            <td>
              {onRestore ? (
                <span className={styles.restore}>
                  {row.restorableUntil ? momentText(row.restorableUntil) : ''}
                  <Button
                    square
                    look="quiet"
                    aria-label={`Restore ${row.source}`}
                    onClick={() => onRestore(row.source)}
                  >
                    <Undo2 />
                  </Button>
                </span>
              ) : (
                <code className={styles.job} title={row.job ?? undefined}>
                  {row.job?.slice(0, 8) ?? '–'}
                </code>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The size of a file; of a document that is no file, such as a page of a web site, the length of its text. */
function lengthText({ bytes, characters }: Source): string {
  if (bytes !== null) return sizeText(bytes)
  return characters === null ? '–' : `${numberText(characters)} characters`
}
