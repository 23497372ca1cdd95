import { FileText } from 'lucide-react'
import { DocumentLink } from '../../../parts/document-link.tsx'
import { countText } from '../../../parts/units.ts'
import type { SourceDocument } from '../../../server/chat.ts'
import styles from './source-list.module.css'

/** The chunks that an answer is based on, by document; each opens to its text. */
export function SourceList({ flowId, sources }: { flowId: string; sources: readonly SourceDocument[] }) {
  if (sources.length === 0) return null
  const byName = Map.groupBy(sources, ({ metadata }) =>
    typeof metadata.source === 'string' ? metadata.source : '',
  )
  return (
    <details className={styles.sources}>
      <summary>
        <FileText aria-hidden="true" />
        <span>Sources</span>
        <span className={styles.names} title={[...byName.keys()].join('\n')}>
          {[...byName.keys()].map((name) => name || 'without a name').join(', ')}
        </span>
        <span className={styles.count}>{countText(sources.length, 'chunk')}</span>
      </summary>
      <ol>
        {sources.map(({ id, metadata, pageContent }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list does not change, and a chunk may occur twice
          <li key={at} className={styles.source}>
            {typeof metadata.source === 'string' ? (
              <DocumentLink flowId={flowId} source={metadata.source} chunk={id} className={styles.name}>
                {metadata.source}
              </DocumentLink>
            ) : null}
            <p>{pageContent}</p>
          </li>
        ))}
      </ol>
    </details>
  )
}
