import type { JsonSchema } from '../../contract/tool.ts'
import type { JsonObject } from '../../kit/json.ts'
import { rawMail } from './raw-mail.ts'

/** What an action is about. */
export const GMAIL_TYPES = ['drafts', 'messages', 'labels', 'threads'] as const
export type GmailType = (typeof GMAIL_TYPES)[number]

/** A call of Gmail's API, below `/gmail/v1/users/me`. */
export type GmailCall = { method: string; path: string; body?: JsonObject }

/** A row of the table of actions: the tool that a model sees, and the call that it becomes. */
export type GmailAction = {
  type: GmailType
  tool: string
  about: string
  /** Whether it changes something. */
  changes: boolean
  takes: JsonSchema
  /** @throws Error with the reason for the model */
  call(values: JsonObject): GmailCall
}

const text = (description: string) => ({ type: 'string', description })
const texts = (description: string) => ({ type: 'array', items: { type: 'string' }, description })
const schema = (properties: JsonObject, required: string[] = []): JsonSchema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})

const ID = { id: text('The id') }
const MAIL = {
  to: text('Addresses, separated by commas'),
  subject: text('The subject'),
  body: text('The text, or HTML'),
  cc: text('Addresses of copies'),
  bcc: text('Addresses of copies that others do not see'),
}
const LIST = {
  maxResults: { type: 'integer', description: 'The most results' },
  query: text('What to look for, as in the search of Gmail: is:unread from:NAME'),
}
const LABELS = { addLabelIds: texts('Labels to add'), removeLabelIds: texts('Labels to take away') }
const LABEL = { labelName: text('Its name'), labelColor: text('Its colour: #RRGGBB') }

/** The id within an address. @throws Error without one */
function idIn({ id }: JsonObject): string {
  if (typeof id !== 'string' || id.trim() === '') throw new Error('id is missing')
  return encodeURIComponent(id.trim())
}

function listPath(path: string, { maxResults, query }: JsonObject): string {
  const asked = new URLSearchParams()
  if (maxResults !== undefined) asked.set('maxResults', String(maxResults))
  if (typeof query === 'string' && query !== '') asked.set('q', query)
  return asked.size === 0 ? path : `${path}?${asked}`
}

const labelBody = ({ labelName, labelColor }: JsonObject): JsonObject => ({
  ...(labelName === undefined ? {} : { name: labelName }),
  ...(labelColor === undefined ? {} : { color: { backgroundColor: labelColor, textColor: '#ffffff' } }),
})

const row = (
  type: GmailType,
  [tool, about]: readonly [string, string],
  takes: JsonSchema,
  call: GmailAction['call'],
  changes = true,
): GmailAction => ({ type, tool, about, takes, call, changes })

/** What messages and threads have in common. */
const ofMessages = (type: 'messages' | 'threads', one: string): Record<string, GmailAction> => {
  const name = `${one[0]!.toUpperCase()}${one.slice(1)}`
  const at = (values: JsonObject) => `/${type}/${idIn(values)}`
  return {
    [`list${name}s`]: row(
      type,
      [`list_${one}s`, `Lists ${one}s of the mailbox`],
      schema(LIST),
      (values) => ({ method: 'GET', path: listPath(`/${type}`, values) }),
      false,
    ),
    [`get${name}`]: row(
      type,
      [`get_${one}`, `Reads a ${one}`],
      schema(ID, ['id']),
      (values) => ({ method: 'GET', path: at(values) }),
      false,
    ),
    [`modify${name}`]: row(
      type,
      [`modify_${one}`, `Changes the labels of a ${one}`],
      schema({ ...ID, ...LABELS }, ['id']),
      (values) => {
        const { addLabelIds = [], removeLabelIds = [] } = values
        return { method: 'POST', path: `${at(values)}/modify`, body: { addLabelIds, removeLabelIds } }
      },
    ),
    [`trash${name}`]: row(
      type,
      [`trash_${one}`, `Moves a ${one} to the trash`],
      schema(ID, ['id']),
      (values) => ({ method: 'POST', path: `${at(values)}/trash` }),
    ),
    [`untrash${name}`]: row(
      type,
      [`untrash_${one}`, `Takes a ${one} out of the trash`],
      schema(ID, ['id']),
      (values) => ({ method: 'POST', path: `${at(values)}/untrash` }),
    ),
    [`delete${name}`]: row(
      type,
      [`delete_${one}`, `Deletes a ${one} for good`],
      schema(ID, ['id']),
      (values) => ({ method: 'DELETE', path: at(values) }),
    ),
  }
}

/** All actions, by their names in flow files. */
export const GMAIL_ACTIONS: Readonly<Record<string, GmailAction>> = {
  listDrafts: row(
    'drafts',
    ['list_drafts', 'Lists drafts of the mailbox'],
    schema(LIST),
    (values) => ({ method: 'GET', path: listPath('/drafts', values) }),
    false,
  ),
  createDraft: row('drafts', ['create_draft', 'Writes a draft'], schema(MAIL, ['to']), (values) => ({
    method: 'POST',
    path: '/drafts',
    body: { message: { raw: rawMail(values) } },
  })),
  getDraft: row(
    'drafts',
    ['get_draft', 'Reads a draft'],
    schema(ID, ['id']),
    (values) => ({ method: 'GET', path: `/drafts/${idIn(values)}` }),
    false,
  ),
  updateDraft: row(
    'drafts',
    ['update_draft', 'Writes a draft anew'],
    schema({ ...ID, ...MAIL }, ['id', 'to']),
    (values) => ({
      method: 'PUT',
      path: `/drafts/${idIn(values)}`,
      body: { message: { raw: rawMail(values) } },
    }),
  ),
  sendDraft: row('drafts', ['send_draft', 'Sends a draft'], schema(ID, ['id']), (values) => ({
    method: 'POST',
    path: '/drafts/send',
    body: { id: decodeURIComponent(idIn(values)) },
  })),
  deleteDraft: row('drafts', ['delete_draft', 'Deletes a draft for good'], schema(ID, ['id']), (values) => ({
    method: 'DELETE',
    path: `/drafts/${idIn(values)}`,
  })),
  sendMessage: row('messages', ['send_message', 'Sends a mail'], schema(MAIL, ['to']), (values) => ({
    method: 'POST',
    path: '/messages/send',
    body: { raw: rawMail(values) },
  })),
  ...ofMessages('messages', 'message'),
  ...ofMessages('threads', 'thread'),
  listLabels: row(
    'labels',
    ['list_labels', 'Lists the labels of the mailbox'],
    schema({}),
    () => ({ method: 'GET', path: '/labels' }),
    false,
  ),
  getLabel: row(
    'labels',
    ['get_label', 'Reads a label'],
    schema(ID, ['id']),
    (values) => ({ method: 'GET', path: `/labels/${idIn(values)}` }),
    false,
  ),
  createLabel: row('labels', ['create_label', 'Makes a label'], schema(LABEL, ['labelName']), (values) => ({
    method: 'POST',
    path: '/labels',
    body: labelBody(values),
  })),
  updateLabel: row(
    'labels',
    ['update_label', 'Changes a label'],
    schema({ ...ID, ...LABEL }, ['id']),
    (values) => ({ method: 'PATCH', path: `/labels/${idIn(values)}`, body: labelBody(values) }),
  ),
  deleteLabel: row('labels', ['delete_label', 'Deletes a label'], schema(ID, ['id']), (values) => ({
    method: 'DELETE',
    path: `/labels/${idIn(values)}`,
  })),
}
