import { leadBody, leadList, leadShape } from '../../api/lead.ts'
import { idParams } from '../../api/params.ts'
import type { LeadRow } from '../../contract/lead-store.ts'
import { randomId } from '../../kit/hash.ts'
import { MANAGEMENT, isoTime } from '../management.ts'
import type { Platform } from '../platform.ts'
import { type Route, route } from '../route.ts'
import { findFlow } from '../../flow/find-flow.ts'

/** Names and addresses of chat visitors. A caller that may ask the flow writes them; only a manager reads them. */
export function leadRoutes({ leads, flows }: Platform): Route[] {
  return [
    route({
      method: 'POST',
      url: '/api/v1/leads',
      summary: 'Store the name, mail address or telephone number of a chat visitor',
      tag: 'predictions',
      access: { flow: 'predict', by: 'body' },
      pinned: 'harmless',
      pages: 'allowed',
      body: leadBody,
      answer: { description: 'The stored visitor', shape: leadShape },
      async handle({ body, enter }) {
        const flow = await enter(body.chatflowid)
        const lead: LeadRow = {
          id: randomId(),
          flowId: flow.id,
          chatId: body.chatId,
          name: body.name ?? null,
          email: body.email ?? null,
          phone: body.phone ?? null,
          createdAt: Date.now(),
        }
        await leads.add(lead)
        return present(lead)
      },
    }),
    route({
      method: 'GET',
      url: '/api/v1/leads/:id',
      summary: 'The visitors of a flow whose name or address was stored',
      ...MANAGEMENT,
      params: idParams,
      answer: { description: 'The visitors, oldest first', shape: leadList },
      async handle({ params }) {
        const { id } = await findFlow(flows, params.id)
        return (await leads.list(id)).map(present)
      },
    }),
  ]
}

const present = ({ id, flowId, chatId, name, email, phone, createdAt }: LeadRow) => ({
  id,
  chatflowid: flowId,
  chatId,
  name,
  email,
  phone,
  createdDate: isoTime(createdAt),
})
