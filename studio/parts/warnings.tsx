import { useState } from 'react'
import { Button } from './button.tsx'
import { Note } from './note.tsx'
import { countText } from './units.ts'
import styles from './upsert.module.css'

const SHOWN = 10

/** The warnings of an upsert: the first ones, and all on request. */
export function Warnings({ warnings }: { warnings: readonly { key: string; reason: string }[] }) {
  const [all, setAll] = useState(false)
  if (warnings.length === 0) return null
  const shown = all ? warnings : warnings.slice(0, SHOWN)
  return (
    <Note kind="warning">
      <ul className={styles.warnings}>
        {shown.map(({ key, reason }) => (
          <li key={`${key} ${reason}`}>
            <strong>{key}</strong>: {reason}
          </li>
        ))}
      </ul>
      {shown.length < warnings.length ? (
        <Button className={styles.inNote} onClick={() => setAll(true)}>
          Show all {countText(warnings.length, 'warning')}
        </Button>
      ) : null}
    </Note>
  )
}
