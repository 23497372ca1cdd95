import { type ReactNode, useState } from 'react'
import { Button } from './button.tsx'
import { numberText } from './units.ts'

/** The rows that are drawn at first, and how many more each time. A search looks through all of them. */
const STEP = 200

/** The first rows of a long list, and a button for more of them. */
export function useFirstRows<Row>(rows: readonly Row[]): { shown: readonly Row[]; more: ReactNode } {
  const [count, setCount] = useState(STEP)
  const left = rows.length - count
  return {
    shown: left > 0 ? rows.slice(0, count) : rows,
    more:
      left > 0 ? (
        <Button onClick={() => setCount(count + STEP)}>Show more ({numberText(left)} left)</Button>
      ) : null,
  }
}
