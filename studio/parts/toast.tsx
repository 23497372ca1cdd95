import { Toast } from '@base-ui/react/toast'
import { X } from 'lucide-react'
import styles from './toast.module.css'

const toasts = Toast.createToastManager()

type ToastAction = { label: string; onSelect(): void }

/** Reports something that was done; it leaves by itself. */
export function tell(title: string, action?: ToastAction): void {
  toasts.add({ title, timeout: action ? 12_000 : 5000, ...actionOf(action) })
}

/** Reports a failure; it stays until it is closed. */
export function complain(title: string, reason?: string): void {
  toasts.add({
    title,
    type: 'failure',
    timeout: 0,
    priority: 'high',
    ...(reason ? { description: reason } : {}),
  })
}

let warning: string | undefined

/** Reports something that was done and has a flaw. It leaves by itself, and replaces the one before. */
export function warn(title: string, reason: string): void {
  endWarning()
  warning = toasts.add({ title, description: reason, type: 'failure', timeout: 15_000 })
}

/** Removes the last such report: its flaw is gone. */
export function endWarning(): void {
  if (warning !== undefined) toasts.close(warning)
  warning = undefined
}

const actionOf = (action: ToastAction | undefined) =>
  action ? { actionProps: { children: action.label, onClick: action.onSelect } } : {}

/** The corner in which reports appear; once in the application. */
export function ToastCorner() {
  return (
    <Toast.Provider toastManager={toasts} limit={4}>
      <Toast.Portal>
        <Toast.Viewport className={styles.corner} aria-label="Reports">
          <ToastList />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}

function ToastList() {
  return Toast.useToastManager().toasts.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className={styles.toast} data-failure={toast.type === 'failure'}>
      <div className={styles.texts}>
        <Toast.Title className={styles.title} />
        <Toast.Description className={styles.reason} />
      </div>
      <Toast.Action className={styles.action} />
      <Toast.Close className={styles.close} aria-label="Close">
        <X aria-hidden="true" />
      </Toast.Close>
    </Toast.Root>
  ))
}
