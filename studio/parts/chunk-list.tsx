import styles from './chunk-list.module.css'
import { placeText } from './job-text.ts'

export type ShownChunk = {
  text: string | null
  metadata: unknown
  /** A word beside the place, such as the fate of the chunk. */
  mark?: string
}

/** Chunks with their place in their source and the beginning of their text, which opens to the whole. */
export function ChunkList({ chunks, label }: { chunks: readonly ShownChunk[]; label: string }) {
  return (
    <ol className={styles.chunks} aria-label={label}>
      {chunks.map(({ text, metadata, mark }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the chunks of a page keep their order
        <li key={at} className={styles.chunk}>
          <p className={styles.head}>
            {mark === undefined ? null : (
              <span className={styles.mark} data-fate={mark}>
                {mark}
              </span>
            )}
            {placeText(metadata)}
          </p>
          {text === null ? (
            <p className={styles.none}>The text is not kept: this dry run is too large.</p>
          ) : (
            <details className={styles.text}>
              <summary>{text}</summary>
              <pre className={styles.metadata}>{JSON.stringify(metadata, null, 2)}</pre>
            </details>
          )}
        </li>
      ))}
    </ol>
  )
}
