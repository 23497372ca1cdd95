import { flowParams } from '../../api/params.ts'
import type { FlowRow } from '../../contract/flow-store.ts'
import { SluiceError } from '../../kit/errors.ts'
import { allowedHosts } from '../cross-origin.ts'
import { type Route, route } from '../route.ts'
import { sendPage, type StudioFiles } from '../studio-files.ts'

/** What the addresses of chat pages begin with. */
export const CHAT_PAGE_PATH = '/chatbot/'

/** As the policy of the studio, without its PDF worker. Pages of this server and the listed sites may show it in a frame. */
const policyOf = (flow: FlowRow) =>
  `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors ${["'self'", ...framesOf(flow)].join(' ')}; require-trusted-types-for 'script'; trusted-types 'none'`

/** A host in a policy: a text that could end the directive or begin another one is left out. */
const HOST = /^(\*|[\w.-]+(:\d+)?|\[[\da-f:]+\](:\d+)?)$/i

const framesOf = (flow: FlowRow): string[] => [...allowedHosts(flow)].filter((host) => HOST.test(host))

/** The page for visitors of a flow: a conversation and nothing else. @param studio undefined where it was not built */
export function chatPageRoute(studio: StudioFiles | undefined): Route {
  return route({
    method: 'GET',
    url: `${CHAT_PAGE_PATH}:flowId`,
    summary: 'The chat page of a flow, where the flow has one (isPublic); managers see it before',
    tag: 'chat windows',
    access: 'open',
    pages: 'allowed',
    params: flowParams,
    answer: { description: 'A page', type: 'text/html; charset=utf-8' },
    async handle({ flow, may, request, reply }) {
      const isManager = (await request.caller.identify())?.admin === true
      const isOpen = flow.config.isPublic === true && (await may('predict'))
      if (!isManager && !isOpen) throw new SluiceError('chat_page_not_found')
      if (!studio?.chatPage) throw new SluiceError('studio_not_built')
      reply.header('content-security-policy', policyOf(flow))
      return sendPage(studio.chatPage, request, reply)
    },
  })
}
