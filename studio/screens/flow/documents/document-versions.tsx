import { Link } from '@tanstack/react-router'
import type { EarlierVersionAnswer } from '../../../../src/api/source.ts'
import { Note } from '../../../parts/note.tsx'
import { countText, momentText } from '../../../parts/units.ts'
import styles from './document-versions.module.css'

type DocumentVersionsProps = {
  flow: string
  /** How many chunks of earlier versions the document has. */
  outdated: number
  earlier: readonly EarlierVersionAnswer[]
  /** The earlier version that is shown; undefined for the newest. */
  version: string | undefined
  onVersion(version: string | undefined): void
}

/** Tells that chunks of earlier versions of a document are still found, how to be rid of them, and shows one version at a time. */
export function DocumentVersions({ flow, outdated, earlier, version, onVersion }: DocumentVersionsProps) {
  if (outdated === 0 && version === undefined) return null
  return (
    <div className={styles.versions}>
      <Note kind="warning">
        <div className={styles.line}>
          <p>
            {version === undefined ? (
              <>
                {countText(outdated, 'chunk')} of{' '}
                {earlier.length > 1 ? `${earlier.length} earlier versions` : 'an earlier version'}{' '}
                {outdated === 1 ? 'is' : 'are'} still found beside this one. Set Cleanup to incremental in{' '}
                <Link to="/flows/$id/configuration" params={{ id: flow }} search={{}} hash="documents">
                  Configuration, Documents
                </Link>{' '}
                and load the document again: that removes {outdated === 1 ? 'it' : 'them'}.
              </>
            ) : (
              `This is left of the version that was replaced on ${momentText(version)}: what the newest version does not have.`
            )}
          </p>
          <label className={styles.choice}>
            <span>Version</span>
            <select value={version ?? ''} onChange={(event) => onVersion(event.target.value || undefined)}>
              <option value="">Newest</option>
              {version === undefined || earlier.some((one) => one.version === version) ? null : (
                <option value={version}>Until {momentText(version)}</option>
              )}
              {earlier.map((one) => (
                <option key={one.version} value={one.version}>
                  Until {momentText(one.version)}, {countText(one.chunks, 'chunk')} left
                </option>
              ))}
            </select>
          </label>
        </div>
      </Note>
    </div>
  )
}
