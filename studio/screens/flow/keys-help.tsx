import { Dialog } from '../../parts/dialog.tsx'
import styles from './keys-help.module.css'

/** The keys of the canvas, for the help: `shortcuts.ts` and `canvas-keys.ts` have what they do. */
const KEYS: readonly (readonly [title: string, keys: readonly (readonly [keys: string, about: string])[]])[] =
  [
    [
      'Anywhere on the canvas',
      [
        ['/', 'Search nodes; Enter adds the first one, ↓ leads into the list'],
        ['O', 'Open or close the outline: nodes and problems as a list'],
        ['Alt T', 'Open or close the flow as text, with the same undo'],
        ['R', 'Open or close this run: its steps, and earlier runs; Alt ← → go through the steps'],
        ['C', 'Connect the selected node: what fits, and why the rest does not'],
        ['F2', 'Rename the selected node'],
        ['Delete', 'Remove what is selected'],
        ['Escape', 'Select nothing'],
        ['Ctrl S', 'Save'],
        ['Ctrl Z, Ctrl Shift Z', 'Undo, redo'],
        ['Ctrl C, Ctrl X, Ctrl V', 'Copy, cut, paste; also into another tab or a text'],
        ['Ctrl D', 'Duplicate'],
        ['Ctrl A', 'Select all'],
        ['?', 'This help'],
      ],
    ],
    [
      'While a node has the focus',
      [
        ['Tab', 'To the canvas, and on to the next part of the screen'],
        ['← →', 'Along a line to the node before or behind'],
        ['↑ ↓', 'To the previous or next node; Home and End: the first, the last'],
        ['Shift ← → ↑ ↓', 'Move the node'],
        ['Enter', 'To its inputs; Escape leads back'],
        ['Space', 'Select, or no longer'],
      ],
    ],
  ]

export function KeysHelp({ onClose }: { onClose(): void }) {
  return (
    <Dialog open onClose={onClose} title="Keys of the canvas">
      {KEYS.map(([title, keys]) => (
        <section key={title} className={styles.section}>
          <h3>{title}</h3>
          <dl className={styles.keys}>
            {keys.map(([key, about]) => (
              <div key={key}>
                <dt>
                  <kbd>{key}</kbd>
                </dt>
                <dd>{about}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Dialog>
  )
}
