import type { ComponentProps } from 'react'
import styles from './button.module.css'

type ButtonProps = ComponentProps<'button'> & {
  /** `plain` has a border, `main` is the one action of a place, `quiet` has no border, `green` starts an upsert. */
  look?: 'plain' | 'main' | 'quiet' | 'danger' | 'green'
  /** A square button; it needs `aria-label`. */
  square?: boolean
}

/** A button; the text of a square one is its `aria-label`, shown as a tooltip too. */
export function Button({ look = 'plain', square, className, type = 'button', ...rest }: ButtonProps) {
  const title = rest.title ?? (square ? rest['aria-label'] : undefined)
  return (
    <button
      {...rest}
      type={type}
      title={title}
      className={[styles.button, styles[look], square && styles.square, className].filter(Boolean).join(' ')}
    />
  )
}
