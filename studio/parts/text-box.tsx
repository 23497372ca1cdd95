import { ScrollBox } from './scroll-box.tsx'
import styles from './text-box.module.css'

type TextBoxProps = {
  label: string
  /** Long lines are broken; otherwise the box scrolls sideways. */
  wraps?: boolean
  children: string
}

/** A text that is only read, such as code or an answer; it scrolls, by keyboard too. */
export function TextBox({ label, wraps = false, children }: TextBoxProps) {
  return (
    <ScrollBox className={styles.box} aria-label={label} data-wraps={wraps}>
      <pre>{children}</pre>
    </ScrollBox>
  )
}
