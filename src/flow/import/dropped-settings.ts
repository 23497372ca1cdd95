import { isObject, parseJson } from '../../kit/json.ts'
import { SPEECH_SERVICES } from '../../chat/speech-services.ts'
import type { ReportRow } from '../check/report-row.ts'

/** Settings of a flow of Flowise that this server does not have, with what it has in their place. */
const DROPPED: Readonly<Record<string, { what: string; instead: string }>> = {
  analytic: {
    what: 'Traces to an analytics service (analytic) are not sent',
    instead: 'Set OTEL_EXPORTER_OTLP_ENDPOINT: the server sends traces of every flow by OpenTelemetry',
  },
  speechToText: {
    what: 'The service that writes speech down (speechToText) is not taken over: its credential is of another server',
    instead: `Set speechToText of the flow with PUT /api/v1/chatflows/:id: ${SPEECH_SERVICES.map(({ name }) => name).join(', ')} are here`,
  },
  textToSpeech: {
    what: 'Answers are not spoken (textToSpeech)',
    instead: 'Read the answer aloud where it is shown',
  },
  followUpPrompts: {
    what: 'Questions to go on with are not proposed (followUpPrompts)',
    instead: 'Ask for them in the system message of the agent',
  },
  postProcessing: {
    what: 'Code that changes the answer (postProcessing) does not run',
    instead: 'End an agent flow with customFunctionAgentflow and directReplyAgentflow',
  },
  stopNodeId: {
    what: 'The vector store that requests fill (stopNodeId) is not chosen by the flow',
    instead: 'Send stopNodeId with each upsert or query, or keep one vector store in the flow',
  },
}

/**
 * A row for each setting that an import drops, of the columns of a row of Flowise and of its `chatbotConfig`. Their values, which may
 * hold keys, are not in it.
 */
export function droppedSettings(row: Record<string, unknown>): ReportRow[] {
  const chatbot = objectOf(row.chatbotConfig)
  const held = { ...chatbot, ...row }
  return Object.entries(DROPPED)
    .filter(([name]) => Object.hasOwn(held, name) && isOn(held[name]))
    .map(([name, { what, instead }]) => ({
      nodeId: null,
      node: null,
      input: name,
      severity: 'dropped',
      what,
      instead,
    }))
}

/** Flowise keeps a setting that is turned off: `{"langFuse": {"status": false}}`, `{"postProcessing": {"enabled": false}}`. */
function isOn(column: unknown): boolean {
  if (column === null || column === undefined || column === '' || column === false) return false
  const value = objectOf(column)
  if (!value) return true
  if (Object.keys(value).length === 0) return false
  const switches = [value, ...Object.values(value).filter(isObject)].flatMap((one) =>
    ['status', 'enabled'].filter((name) => Object.hasOwn(one, name)).map((name) => one[name]),
  )
  return switches.length === 0 || switches.some((one) => one === true || one === 'true')
}

const objectOf = (column: unknown): Record<string, unknown> | undefined => {
  const value = typeof column === 'string' ? parseJson(column) : column
  return isObject(value) ? value : undefined
}
