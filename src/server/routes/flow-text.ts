import {
  flowText,
  flowTextRequest,
  readFlowTextAnswer,
  savedFlowText,
  savedText,
} from '../../api/flow-text.ts'
import { ifMatchHeader } from '../../api/flow-revision.ts'
import { idParams } from '../../api/params.ts'
import { findFlow } from '../../flow/find-flow.ts'
import { problemsOfSaved } from '../check-flow.ts'
import { checkCredentials } from '../flow-credentials.ts'
import { MANAGEMENT } from '../management.ts'
import type { Platform } from '../platform.ts'
import { type Route, route } from '../route.ts'
import { saveFlow, sendTag } from '../save-flow.ts'
import { patchedFlow, presentFlow } from './chatflows.ts'

/** A flow as text: for folders of flows, for editors, and for the pane beside the canvas. */
export function flowTextRoutes(platform: Platform): Route[] {
  const { flows } = platform
  const url = '/api/v1/chatflows/:id/text'
  return [
    route({
      ...MANAGEMENT,
      method: 'GET',
      url,
      summary: 'A flow as YAML, without secrets and without the content of files',
      params: idParams,
      answer: { description: 'The text and the revision that it is of', shape: flowText },
      async handle({ params, reply }) {
        const flow = await findFlow(flows, params.id)
        sendTag(reply, flow)
        const { id, slug, name, revision } = flow
        const { textOfStored } = await import('../flow-texts.ts')
        return { id, slug, name, revision, text: textOfStored(platform, flow) }
      },
    }),
    route({
      ...MANAGEMENT,
      method: 'PUT',
      url,
      summary:
        'Change a flow to what a text says; values that the text does not show stay. With If-Match, only if it was not saved since',
      params: idParams,
      headers: ifMatchHeader,
      body: savedText,
      bodyMegabytes: 16,
      answer: {
        description: 'The flow, and what would be refused if it were called now',
        shape: savedFlowText,
      },
      async handle({ params, body, request, reply }) {
        const { patchOfText } = await import('../flow-texts.ts')
        let missing: ReturnType<typeof patchOfText>['missing'] = []
        const saved = await saveFlow(flows, { id: params.id, request, reply }, async (stored) => {
          const read = patchOfText(platform, body.text, stored)
          missing = read.missing
          if (read.patch.flowData !== undefined) await checkCredentials(read.patch.flowData, platform)
          return patchedFlow(stored, read.patch, Date.now())
        })
        return { ...presentFlow(saved), ...(await problemsOfSaved(platform, saved)), missing }
      },
    }),
    route({
      ...MANAGEMENT,
      method: 'POST',
      url: '/api/v1/flows/text',
      summary:
        'Read the text of a flow, or write a drawing as text: problems at their lines, what would change, and what that means for the documents; nothing is stored',
      body: flowTextRequest,
      bodyMegabytes: 32,
      answer: { description: 'The flow, or what is wrong with the text', shape: readFlowTextAnswer },
      async handle({ body }) {
        const { readOrWriteText } = await import('../flow-texts.ts')
        return readOrWriteText(platform, body)
      },
    }),
  ]
}
