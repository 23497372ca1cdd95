import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { MessagesSquare, RotateCw, Square, Trash2, Workflow, X } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { LoadState } from '../../parts/load-state.tsx'
import { Note } from '../../parts/note.tsx'
import { RunSteps } from '../../parts/run-steps.tsx'
import { complain, tell } from '../../parts/toast.tsx'
import { millisecondsText, momentText, numberText } from '../../parts/units.ts'
import { WaitingCallView } from '../../parts/waiting-call.tsx'
import { waitingCalls } from '../../parts/waiting-calls.ts'
import { messageOf } from '../../server/call.ts'
import { listMessages, stopAnswer, streamAnswer } from '../../server/chat.ts'
import { deleteExecution, type Execution, getExecution } from '../../server/executions.ts'
import { stateWord } from './execution-search.ts'
import styles from './execution-view.module.css'
import { SpanList } from './span-list.tsx'
import { tokensOf } from './tokens.ts'

type ExecutionViewProps = {
  id: string
  flowName(flowId: string): string | undefined
  onClose(): void
}

/** How often a running execution is read again, in milliseconds. */
const WATCH_MS = 1000

/** One run: its steps over time, and what can be done about it. */
export function ExecutionView({ id, flowName, onClose }: ExecutionViewProps) {
  const queries = useQueryClient()
  const [isDeleting, setDeleting] = useState(false)
  const read = useQuery({
    queryKey: ['execution', id],
    queryFn: () => getExecution(id),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.state === 'INPROGRESS' ? WATCH_MS : false),
  })
  const { data, refetch, isFetching } = read
  const changed = () =>
    Promise.all([refetch(), queries.invalidateQueries({ queryKey: ['executions'] })]).then(() => undefined)
  const remove = async () => {
    setDeleting(false)
    try {
      await deleteExecution(id)
      tell('The execution was deleted')
      onClose()
      await queries.invalidateQueries({ queryKey: ['executions'] })
    } catch (failure) {
      complain('The execution was not deleted', messageOf(failure))
    }
  }
  return (
    <aside className={styles.panel} aria-label="Execution">
      <header className={styles.head}>
        <h2 title={data?.title}>{data ? data.title || 'Without a question' : 'Execution'}</h2>
        <Button
          look="quiet"
          square
          aria-label="Read again"
          disabled={isFetching}
          onClick={() => void changed()}
        >
          <RotateCw aria-hidden="true" />
        </Button>
        <Button look="quiet" square aria-label="Delete the execution" onClick={() => setDeleting(true)}>
          <Trash2 aria-hidden="true" />
        </Button>
        <Button look="quiet" square aria-label="Close the execution" onClick={onClose}>
          <X aria-hidden="true" />
        </Button>
      </header>
      <LoadState of={read} />
      {data ? (
        <>
          {data.failure && data.failure.code !== 'cancelled' ? (
            <Note kind="failure">
              {data.failure.message} <code>{data.failure.code}</code>
            </Note>
          ) : null}
          <Facts execution={data} flow={flowName(data.agentflowId) ?? data.agentflowId} />
          <div className={styles.actions}>
            <Link
              to="/flows/$id/ask"
              params={{ id: data.agentflowId }}
              search={{ view: 'chat', chat: data.chatId }}
              className={styles.link}
            >
              <MessagesSquare aria-hidden="true" /> The conversation
            </Link>
            <Link
              to="/flows/$id"
              params={{ id: data.agentflowId }}
              search={{ run: id }}
              className={styles.link}
            >
              <Workflow aria-hidden="true" /> On the drawing
            </Link>
            {data.state === 'INPROGRESS' ? (
              <Button
                onClick={() =>
                  void stopAnswer(data.agentflowId, data.chatId)
                    .then(changed)
                    .catch((failure: unknown) => complain('The run was not stopped', messageOf(failure)))
                }
              >
                <Square aria-hidden="true" /> Stop
              </Button>
            ) : null}
          </div>
          {data.state === 'STOPPED' ? <Decision execution={data} onDecided={changed} /> : null}
          {data.spans.length > 0 ? <SpanList execution={data} /> : <RunSteps steps={data.executionData} />}
        </>
      ) : null}
      <Dialog
        open={isDeleting}
        onClose={() => setDeleting(false)}
        title="Delete this execution?"
        actions={
          <>
            <Button onClick={() => setDeleting(false)}>Keep it</Button>
            <Button look="danger" onClick={() => void remove()}>
              Delete
            </Button>
          </>
        }
      >
        <p>The record of its steps is deleted. Its question and its answer stay in the conversation.</p>
      </Dialog>
    </aside>
  )
}

function Facts({ execution, flow }: { execution: Execution; flow: string }) {
  const { id, createdDate, updatedDate, executionData } = execution
  const tokens = tokensOf(execution)
  const worked = executionData.reduce((sum, { timeMetadata }) => sum + (timeMetadata?.delta ?? 0), 0)
  const facts = [
    ['Flow', flow],
    ['State', stateWord(execution)],
    ['Started', momentText(createdDate)],
    ['Worked', millisecondsText(worked)],
    ['In all', millisecondsText(Date.parse(updatedDate) - Date.parse(createdDate))],
    ...(tokens > 0 ? [['Tokens', numberText(tokens)]] : []),
  ]
  return (
    <dl className={styles.facts}>
      <div className={styles.id}>
        <dt>Id</dt>
        <dd>{id}</dd>
      </div>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** The decision that the run waits for. The run goes on while the answer of the server is read to its end. */
function Decision({ execution, onDecided }: { execution: Execution; onDecided(): Promise<void> }) {
  const { agentflowId, chatId, sessionId } = execution
  const [isDeciding, setDeciding] = useState(false)
  const read = useQuery({
    queryKey: ['waiting', execution.id, execution.updatedDate],
    queryFn: () => listMessages(agentflowId, chatId),
  })
  const last = read.data?.at(-1)
  const action = last?.action
  if (!read.data) return <LoadState of={read} what="The decision that it waits for cannot be read" />
  if (!action) return <Note>Another question of the conversation came after this run; it cannot go on.</Note>
  const decide = async (type: 'proceed' | 'reject', reason: string) => {
    setDeciding(true)
    const { nodeId } = action.data
    const feedback = reason.trim()
    let failure: string | undefined
    try {
      await streamAnswer(
        agentflowId,
        {
          chatId,
          question: `${type === 'proceed' ? 'Approved' : 'Rejected'}${feedback ? `: ${feedback}` : ''}`,
          overrideConfig: { sessionId },
          humanInput: {
            type,
            ...(typeof nodeId === 'string' ? { startNodeId: nodeId } : {}),
            ...(feedback ? { feedback } : {}),
          },
        },
        ({ event, data }) => {
          if (event === 'error') failure = String(data)
          if (event === 'nextAgentFlow') void onDecided()
        },
      )
    } catch (error) {
      failure = messageOf(error)
    }
    if (failure !== undefined) complain('The run failed', failure)
    setDeciding(false)
    await onDecided()
  }
  return (
    <>
      {last.content === '' || waitingCalls(action).length > 0 ? null : (
        <p className={styles.asked}>{last.content}</p>
      )}
      <WaitingCallView
        calls={waitingCalls(action)}
        feedback
        disabled={isDeciding}
        onDecide={(...all) => void decide(...all)}
      />
    </>
  )
}
