import { Search } from 'lucide-react'
import { useEffect, useState } from 'react'
import styles from './search-box.module.css'

type SearchBoxProps = { label: string; hint: string; value: string; onChange(text: string): void }

/** Reports its text when the person stops typing for a moment. A value that is changed elsewhere replaces the text. */
export function SearchBox({ label, hint, value, onChange }: SearchBoxProps) {
  const [text, setText] = useState(value)
  const [last, setLast] = useState(value)
  if (last !== value) {
    setLast(value)
    if (text.trim() !== value) setText(value)
  }
  useEffect(() => {
    if (text.trim() === value) return
    const timer = setTimeout(() => onChange(text.trim()), 200)
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
