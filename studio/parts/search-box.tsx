import { Search } from 'lucide-react'
import { useEffect, useState } from 'react'
import styles from './search-box.module.css'

type SearchBoxProps = { label: string; hint?: string; value: string; onChange(text: string): void }

/** How long a person stops typing before the text is reported, in milliseconds. */
const PAUSE_MS = 200

/**
 * Reports its text when the person stops typing for a moment. A value that is changed elsewhere replaces the text; one that was reported
 * here, and comes back while the person goes on typing, does not.
 */
export function SearchBox({ label, hint = 'Search', value, onChange }: SearchBoxProps) {
  const [text, setText] = useState(value)
  const [reported, setReported] = useState(value)
  const [last, setLast] = useState(value)
  if (last !== value) {
    setLast(value)
    if (value !== reported) {
      setReported(value)
      setText(value)
    }
  }
  useEffect(() => {
    const wanted = text.trim()
    if (wanted === reported) return
    const timer = setTimeout(() => {
      setReported(wanted)
      onChange(wanted)
    }, PAUSE_MS)
    return () => clearTimeout(timer)
  })
  return (
    <label className={styles.search}>
      <Search aria-hidden="true" />
      <input
        type="search"
        aria-label={label}
        placeholder={hint}
        maxLength={200}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </label>
  )
}
