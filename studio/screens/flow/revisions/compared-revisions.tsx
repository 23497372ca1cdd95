import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { compareDrawings, isUnchanged, type NodeChange } from '../../../drawing/compare.ts'
import { type FlowFile, readFlowFile } from '../../../drawing/flow-file.ts'
import type { Flow } from '../../../server/flows.ts'
import { getRevision } from '../../../server/revisions.ts'
import { useEditorState } from '../editor.ts'
import { partText } from '../part-text.ts'
import { TextChanges } from '../text-changes.tsx'
import { changeNames } from './change-names.ts'
import styles from './revisions.module.css'
import { LoadFailure } from '../../../parts/load-failure.tsx'

const SETTINGS = [
  'name',
  'slug',
  'type',
  'category',
  'apiConfig',
  'chatbotConfig',
  'followUpPrompts',
  'apikeyid',
] as const

type ComparedRevisionsProps = { flowId: string; number: number; other: number }

/** What differs between two revisions, by node and input; the older one is on the left. */
export function ComparedRevisions({ flowId, number, other }: ComparedRevisionsProps) {
  const kinds = useEditorState((state) => state.kinds)
  const [older, newer] = number < other ? [number, other] : [other, number]
  const before = useRevision(flowId, older)
  const after = useRevision(flowId, newer)
  const changes = useMemo(() => {
    if (!before.data || !after.data) return undefined
    return compareDrawings(drawingOf(before.data.flow), drawingOf(after.data.flow), kinds)
  }, [before.data, after.data, kinds])
  const error = before.error ?? after.error
  if (error)
    return <LoadFailure error={error} onAgain={() => Promise.all([before.refetch(), after.refetch()])} />
  if (!changes || !before.data || !after.data) return <p className={styles.quiet}>Comparing…</p>
  const [was, is] = [before.data.flow, after.data.flow]
  const settings = SETTINGS.filter((name) => was[name] !== is[name])
  const moved = changes.nodes.filter(({ kind }) => kind === 'moved')
  const nodes = changes.nodes.filter(({ kind }) => kind !== 'moved')
  return (
    <div className={styles.changes}>
      <p className={styles.facts}>
        From revision {older} to revision {newer}:
      </p>
      {isUnchanged(changes) && settings.length === 0 ? (
        <p className={styles.quiet}>Nothing differs.</p>
      ) : null}
      {settings.map((name) => (
        <article key={name} className={styles.node}>
          <h3>{changeNames([name])[0]}</h3>
          <TextChanges before={settingText(was[name])} after={settingText(is[name])} />
        </article>
      ))}
      {nodes.map((node) => (
        <ChangedNode key={node.id} node={node} />
      ))}
      {changes.linesRemoved.length + changes.linesAdded.length === 0 ? null : (
        <article className={styles.node}>
          <h3>Order of the steps</h3>
          <TextChanges before={changes.linesRemoved.join('\n')} after={changes.linesAdded.join('\n')} />
        </article>
      )}
      {moved.length === 0 ? null : (
        <p className={styles.quiet}>Only moved: {moved.map(({ label }) => label).join(', ')}</p>
      )}
    </div>
  )
}

const useRevision = (flowId: string, number: number) =>
  useQuery({
    queryKey: ['revision', flowId, number],
    queryFn: () => getRevision(flowId, number),
    // A revision never changes.
    staleTime: Number.POSITIVE_INFINITY,
  })

/** A drawing that cannot be read counts as empty; its text is in the export. */
function drawingOf({ flowData }: Flow): FlowFile {
  try {
    return readFlowFile(flowData)
  } catch {
    return { nodes: [], edges: [] }
  }
}

const KINDS = { added: 'added', removed: 'removed', changed: 'changed', moved: 'moved' }

function ChangedNode({ node }: { node: NodeChange }) {
  return (
    <article className={styles.node} data-kind={node.kind}>
      <h3>
        {node.label} <span className={styles.kind}>{KINDS[node.kind]}</span>
        <code className={styles.id}>{node.id}</code>
      </h3>
      {node.parts.map(({ name, label, type, before, after }) => (
        <div key={name} className={styles.part}>
          <h4>{label}</h4>
          <TextChanges before={partText(type, before)} after={partText(type, after)} />
        </div>
      ))}
    </article>
  )
}

/** Settings that are JSON text are shown by lines. */
function settingText(value: string | null): string {
  if (value === null) return ''
  if (!value.startsWith('{') && !value.startsWith('[')) return value
  try {
    return JSON.stringify(JSON.parse(value), null, 2)
  } catch {
    return value
  }
}
