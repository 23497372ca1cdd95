import type { AgentEvent } from '../contract/agent.ts'
import { withNotedSecrets } from './noted-secrets.ts'
import { maskedError } from '../kit/masked-error.ts'
import { createSecretMask, type SecretMask } from '../kit/secret-mask.ts'
import type { Emit, PreparedRun } from './prediction.ts'
import { emitSpans } from './run-spans.ts'
import type { AgentRuntime } from './runtime.ts'

/** In characters. A shorter secret of letters only, such as `ollama`, is not masked: many answers contain the word. */
const SHORTEST_WORD = 8

/**
 * Prepares a run in whose output all secrets are masked: events, answer, tool outputs, errors. Secrets are the values
 * of the credentials that the run reads, and the headers and keys that its calls send.
 */
export async function prepareMaskedRun(
  runtime: AgentRuntime,
  prepare: (runtime: AgentRuntime) => Promise<PreparedRun>,
): Promise<PreparedRun> {
  const mask = createSecretMask({ shortestWord: SHORTEST_WORD })
  try {
    const prepared = await prepare({ ...runtime, nodeServices: withNotedSecrets(runtime.nodeServices, mask) })
    return { ...prepared, run: (emit, signal) => run(prepared, mask, emit, signal) }
  } catch (error) {
    throw maskedError(error, mask)
  }
}

async function run(prepared: PreparedRun, mask: SecretMask, emit: Emit, signal: AbortSignal) {
  const pieces = { token: mask.stream(), thinking: mask.stream() }
  const flush = async () => {
    for (const event of ['thinking', 'token'] as const) {
      const data = pieces[event].end()
      if (data !== '') await emit({ event, data })
    }
  }
  try {
    const emitMasked: Emit = async (event) => {
      if (event.event === 'token' || event.event === 'thinking') {
        const data = pieces[event.event].push(event.data)
        // An event whose text is empty has other data, such as a duration.
        if (data !== '' || event.data === '') await emit({ ...event, data })
        return
      }
      if (isAfterText(event)) await flush()
      await emit(mask.json(event))
    }
    const outcome = await emitSpans(emitMasked, () => prepared.run(emitMasked, signal))
    await flush()
    return mask.json(outcome)
  } catch (error) {
    if (!signal.aborted) await flush()
    throw maskedError(error, mask)
  }
}

/** Whether no text follows this event. The text that the mask still holds back is emitted before it. */
const isAfterText = ({ event, data }: AgentEvent): boolean =>
  event === 'usageMetadata' || event === 'action' || (event === 'agentFlowEvent' && data !== 'INPROGRESS')
