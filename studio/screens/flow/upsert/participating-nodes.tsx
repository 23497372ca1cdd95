import type { DrawnNode } from '../../../drawing/graph.ts'
import { CategoryIcon } from '../category-icon.tsx'
import { usedValues } from '../../../drawing/value-text.ts'
import styles from '../../../parts/upsert.module.css'

/** The nodes that an upsert works with, each with the values that it uses. */
export function ParticipatingNodes({ nodes }: { nodes: readonly DrawnNode[] }) {
  return (
    <section className={styles.nodes} aria-label="Nodes that take part">
      <h3>Nodes that take part</h3>
      {nodes.map((node) => {
        const values = usedValues(node)
        const changed = values.filter(({ isDefault }) => !isDefault)
        return (
          <details key={node.id} className={styles.node}>
            <summary>
              <CategoryIcon kind={node.kind} />
              <span className={styles.nodeName}>{node.label}</span>
              <code className={styles.nodeId}>{node.id}</code>
              <span className={styles.nodeValues}>
                {changed.map(({ label, text }) => `${label} ${text}`).join(' · ') || 'defaults'}
              </span>
            </summary>
            <table className={styles.values}>
              <thead>
                <tr>
                  <th scope="col">Input</th>
                  <th scope="col">Name</th>
                  <th scope="col">Value</th>
                </tr>
              </thead>
              <tbody>
                {values.map(({ name, label, text, isDefault }) => (
                  <tr key={name} data-default={isDefault}>
                    <td>{label}</td>
                    <td>
                      <code>{name}</code>
                    </td>
                    <td>{text || '–'}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </details>
        )
      })}
    </section>
  )
}
