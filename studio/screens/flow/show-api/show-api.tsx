import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useRouter, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { Json } from '../../../drawing/flow-file.ts'
import { isDirty } from '../../../drawing/history.ts'
import { FormField } from '../../../forms/form-field.tsx'
import forms from '../../../forms/forms.module.css'
import { CopyButton } from '../../../parts/copy-button.tsx'
import { LoadState } from '../../../parts/load-state.tsx'
import { Note } from '../../../parts/note.tsx'
import { TextBox } from '../../../parts/text-box.tsx'
import { type FlowRequests, getFlowRequests } from '../../../server/flow-requests.ts'
import { useEditorState } from '../editor.ts'
import { useOpenFlow } from '../open-flow.ts'
import { type OverrideRow, overrideConfigOf, overrideRows } from './chosen-overrides.ts'
import { OverrideList } from './override-list.tsx'
import { RunSample } from './run-sample.tsx'
import { EmbedChat } from './embed-chat.tsx'
import {
  type Language,
  LANGUAGES,
  REQUEST_KINDS,
  type RequestKind,
  type SampleRequest,
} from './sample-request.ts'
import { KEY_VARIABLE, sampleOf } from './samples.ts'
import styles from './show-api.module.css'
import { API_VIEWS, type ApiView, type ShowApiSearch } from './show-api-search.ts'

const VIEW_LABELS: Readonly<Record<ApiView, string>> = {
  'upsert-files': 'Upsert files',
  'upsert-json': 'Upsert, JSON',
  query: 'Query',
  ask: 'Ask',
  'ask-streamed': 'Ask, streamed',
  embed: 'Chat on a page',
}
const LANGUAGE_LABELS: Readonly<Record<Language, string>> = {
  curl: 'cURL',
  python: 'Python',
  javascript: 'JavaScript',
}

/** How long typing rests before the address changes, in milliseconds: browsers limit changes of the address. */
const ADDRESS_MS = 400

/** The requests of a flow as programs to copy, and as requests to run here. */
export function ShowApi() {
  const { flow, saving } = useOpenFlow()
  const read = useQuery({
    queryKey: ['flow-requests', flow.id, saving.revision],
    queryFn: () => getFlowRequests(flow.id),
    placeholderData: keepPreviousData,
  })
  return (
    <main className={styles.screen}>
      <LoadState of={read} />
      {read.data ? <Requests requests={read.data} /> : null}
    </main>
  )
}

function Requests({ requests }: { requests: FlowRequests }) {
  const { id } = useParams({ from: '/flows/$id' })
  const search = useSearch({ from: '/flows/$id/api' })
  const [view, setView] = useState<ApiView>(search.request ?? firstPossible(requests))
  const dirty = useEditorState(({ history }) => isDirty(history))
  const graph = useEditorState((state) => state.graph)
  const [language, setLanguage] = useState<Language>(search.language ?? 'curl')
  const [question, setQuestion] = useState(search.question ?? '')
  const [chosen, setChosen] = useState<Readonly<Record<string, Json>>>(search.with ?? {})
  const [files, setFiles] = useState<File[]>([])
  const [store, setStore] = useState<string>()
  const kind: RequestKind = view === 'embed' ? 'ask' : view
  const rows = overrideRows(requests, kind)
  useAddress({ request: view, language, question, with: withoutSecrets(chosen, rows) })

  const { stores } = requests.upsert
  const { possible, reason } = possibleOf(requests, kind)
  const request: SampleRequest = {
    kind,
    origin: location.origin,
    flow: requests.slug,
    needsKey: requests.key !== null,
    question: question || 'What is this about?',
    files: files.length > 0 ? files.map(({ name }) => name) : ['document.txt'],
    stopNodeId: stores.length > 1 ? (store ?? stores[0]!.id) : undefined,
    overrides: overrideConfigOf(rows, chosen),
  }
  const nodeIds = new Set(graph.nodes.map((node) => node.id))
  const sample = sampleOf(language, request, nodeIds)
  const asks = kind === 'query' || kind.startsWith('ask')

  return (
    <>
      <div className={styles.kinds} role="radiogroup" aria-label="Request">
        {API_VIEWS.map((one) => (
          <label key={one} className={styles.kind} data-possible={possibleOf(requests, one).possible}>
            <input type="radio" name="request" checked={one === view} onChange={() => setView(one)} />
            {VIEW_LABELS[one]}
          </label>
        ))}
      </div>
      {dirty ? (
        <Note kind="warning">The flow has changes that are not saved. Requests use the saved flow.</Note>
      ) : null}
      {possible ? null : <Impossible id={id} kind={kind} reason={reason} />}
      {possible && view === 'embed' ? <EmbedChat requests={requests} id={id} /> : null}
      {possible && view !== 'embed' ? (
        <div className={styles.columns}>
          <section className={styles.sample} aria-label="Sample">
            {asks ? (
              <FormField id="show-api-question" label={kind === 'query' ? 'Query' : 'Question'}>
                <textarea
                  id="show-api-question"
                  className={forms.control}
                  rows={1}
                  value={question}
                  placeholder="What is this about?"
                  onChange={(event) => setQuestion(event.target.value)}
                />
              </FormField>
            ) : null}
            {stores.length > 1 && !kind.startsWith('ask') ? (
              <FormField id="show-api-store" label="Vector store">
                <select
                  id="show-api-store"
                  className={forms.control}
                  value={store ?? stores[0]!.id}
                  onChange={(event) => setStore(event.target.value)}
                >
                  {stores.map((one) => (
                    <option key={one.id} value={one.id}>
                      {one.label} ({one.id})
                    </option>
                  ))}
                </select>
              </FormField>
            ) : null}
            <div className={styles.box}>
              <div className={styles.boxHead}>
                <div className={styles.languages} role="radiogroup" aria-label="Language">
                  {LANGUAGES.map((one) => (
                    <label key={one} className={styles.language}>
                      <input
                        type="radio"
                        name="language"
                        checked={one === language}
                        onChange={() => setLanguage(one)}
                      />
                      {LANGUAGE_LABELS[one]}
                    </label>
                  ))}
                </div>
                <CopyButton text={sample} />
              </div>
              <TextBox label={`Sample in ${LANGUAGE_LABELS[language]}`}>{sample}</TextBox>
            </div>
            <KeyNote requests={requests} id={id} />
            <RunSample key={kind} request={request} nodeIds={nodeIds} files={files} onFiles={setFiles} />
          </section>
          <OverrideList
            flow={id}
            rows={rows}
            chosen={chosen}
            onChoose={(key, value) =>
              setChosen((before) => {
                const { [key]: _, ...others } = before
                return value === undefined ? others : { ...others, [key]: value }
              })
            }
          />
        </div>
      ) : null}
    </>
  )
}

/** Writes the state of the screen into the address, so that it can be sent to another person. */
function useAddress(state: ShowApiSearch): void {
  const router = useRouter()
  const navigate = useNavigate({ from: '/flows/$id/api' })
  const text = JSON.stringify(state)
  useEffect(() => {
    const timer = setTimeout(() => {
      // Another screen may be on its way: it must not be called back.
      if (!router.latestLocation.pathname.endsWith('/api')) return
      const { question, with: chosen, ...more } = JSON.parse(text) as ShowApiSearch
      const search: ShowApiSearch = {
        ...more,
        ...(question ? { question } : {}),
        ...(chosen && Object.keys(chosen).length > 0 ? { with: chosen } : {}),
      }
      void navigate({ to: '.', search, replace: true })
    }, ADDRESS_MS)
    return () => clearTimeout(timer)
  }, [text, navigate, router])
}

/** A secret does not belong into an address. */
const withoutSecrets = (chosen: Readonly<Record<string, Json>>, rows: readonly OverrideRow[]) => {
  const secret = new Set(rows.filter(({ guard }) => guard === 'credential').map(({ key }) => key))
  return Object.fromEntries(Object.entries(chosen).filter(([key]) => !secret.has(key)))
}

function Impossible({ id, kind, reason }: { id: string; kind: RequestKind; reason: string | null }) {
  return (
    <Note kind="info">
      <p>This flow does not take this request: {reason ?? 'it does not stream its answers'}.</p>
      <p>
        {kind === 'upsert-files' ? (
          <Link to="/flows/$id/configuration" params={{ id }} hash="uploads">
            Allow files in Configuration
          </Link>
        ) : (
          <Link to="/flows/$id" params={{ id }}>
            Change the flow on the canvas
          </Link>
        )}
      </p>
    </Note>
  )
}

function KeyNote({ requests: { key }, id }: { requests: FlowRequests; id: string }) {
  if (key === null)
    return (
      <p className={styles.quiet}>
        This flow is open: requests need no key.{' '}
        <Link to="/flows/$id/configuration" params={{ id }} hash="access">
          Require a key
        </Link>
      </p>
    )
  return (
    <p className={styles.quiet}>
      The sample reads the key {key.name === null ? '(deleted)' : <strong>{key.name}</strong>} from the
      environment: <code>export {KEY_VARIABLE}=…</code> The studio does not know it; a new one can be made in{' '}
      <Link to="/keys">Keys</Link>.
    </p>
  )
}

function possibleOf({ upsert, query, prediction }: FlowRequests, kind: ApiView) {
  if (kind === 'upsert-files') return upsert.files
  if (kind === 'upsert-json') return upsert.json
  if (kind === 'query') return query
  if (kind === 'ask' || kind === 'embed' || !prediction.possible) return prediction
  return { possible: prediction.streams, reason: null }
}

const firstPossible = (requests: FlowRequests): RequestKind =>
  REQUEST_KINDS.find((kind) => possibleOf(requests, kind).possible) ?? 'upsert-files'
