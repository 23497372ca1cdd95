import { Menu as Base } from '@base-ui/react/menu'
import type { ReactElement, ReactNode } from 'react'
import styles from './menu.module.css'

/** A button with a list of actions. */
export function Menu({ button, children }: { button: ReactElement; children: ReactNode }) {
  return (
    <Base.Root>
      <Base.Trigger render={button} />
      <Base.Portal>
        <Base.Positioner className={styles.place} sideOffset={6} align="end" collisionPadding={8}>
          <Base.Popup className={styles.menu}>{children}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

type MenuItemProps = {
  icon?: ReactNode
  onSelect(): void
  danger?: boolean
  disabled?: boolean
  children: ReactNode
}

export function MenuItem({ icon, onSelect, danger = false, disabled = false, children }: MenuItemProps) {
  return (
    <Base.Item
      className={danger ? `${styles.item} ${styles.danger}` : styles.item}
      onClick={onSelect}
      disabled={disabled}
    >
      <span className={styles.icon}>{icon}</span>
      {children}
    </Base.Item>
  )
}

export const MenuLine = () => <Base.Separator className={styles.line} />
