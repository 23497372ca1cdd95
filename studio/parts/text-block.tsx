import { ScrollBox } from './scroll-box.tsx'
import styles from './text-block.module.css'

/** The most characters that are shown: more would make the page slow. */
const MOST = 50_000

/** A value or a text as it is, in a box that scrolls. JSON is shown with one member a line. */
export function TextBlock({ label, value }: { label: string; value: unknown }) {
  const text = pretty(value)
  if (text === '') return null
  return (
    <div className={styles.block}>
      <span className={styles.label}>{label}</span>
      <ScrollBox aria-label={label}>
        <pre>{text.length > MOST ? `${text.slice(0, MOST)}…` : text}</pre>
      </ScrollBox>
    </div>
  )
}

function pretty(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value !== 'string') return JSON.stringify(value, null, 2)
  if (!/^\s*[[{]/.test(value)) return value
  try {
    return JSON.stringify(JSON.parse(value), null, 2)
  } catch {
    return value
  }
}
