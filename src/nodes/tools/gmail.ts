import { defineNode } from '../../cards/define-node.ts'
import { choiceField, credentialField, numberField, textField, textListField } from '../../cards/field.ts'
import { InputError } from '../../cards/input-error.ts'
import type { BuildContext } from '../../contract/card.ts'
import { SluiceError } from '../../kit/errors.ts'
import type { Json, JsonObject } from '../../kit/json.ts'
import { openOnce } from '../../kit/open-once.ts'
import { GMAIL_ACTIONS, GMAIL_TYPES, type GmailType } from '../../tools/gmail/actions.ts'
import { GMAIL_API, gmailTool, type GoogleGrant, googleToken } from '../../tools/gmail/gmail-tool.ts'
import { mayCall } from '../may-call.ts'
import { beforeUse } from '../provider-key.ts'

const KIND = 'gmailOAuth2'

const actionsField = (type: GmailType, label: string) =>
  textListField(label, {
    description: Object.entries(GMAIL_ACTIONS)
      .flatMap(([name, action]) => (action.type === type ? [name] : []))
      .join(', '),
    showWhen: { gmailType: [type] },
  })
const preset = (label: string) => textField(label, undefined, { additional: true })
const presetList = (label: string) => textListField(label, { additional: true })
const presetCount = () =>
  numberField('Max Results', undefined, { whole: true, min: 1, max: 500 }, { additional: true })

const ACTIONS_INPUT = {
  drafts: 'draftActions',
  messages: 'messageActions',
  labels: 'labelActions',
  threads: 'threadActions',
} as const satisfies Record<GmailType, string>

/** The inputs with values that the model is not asked for, by the actions and the names of the values. */
const PRESETS: Readonly<Record<string, readonly [actions: RegExp, value: string]>> = {
  draftMaxResults: [/^listDrafts$/, 'maxResults'],
  draftTo: [/^createDraft$/, 'to'],
  draftSubject: [/^createDraft$/, 'subject'],
  draftBody: [/^createDraft$/, 'body'],
  draftCc: [/^createDraft$/, 'cc'],
  draftBcc: [/^createDraft$/, 'bcc'],
  draftId: [/^(get|update|send|delete)Draft$/, 'id'],
  draftUpdateTo: [/^updateDraft$/, 'to'],
  draftUpdateSubject: [/^updateDraft$/, 'subject'],
  draftUpdateBody: [/^updateDraft$/, 'body'],
  messageMaxResults: [/^listMessages$/, 'maxResults'],
  messageQuery: [/^listMessages$/, 'query'],
  messageTo: [/^sendMessage$/, 'to'],
  messageSubject: [/^sendMessage$/, 'subject'],
  messageBody: [/^sendMessage$/, 'body'],
  messageCc: [/^sendMessage$/, 'cc'],
  messageBcc: [/^sendMessage$/, 'bcc'],
  messageId: [/^(get|modify|trash|untrash|delete)Message$/, 'id'],
  messageAddLabelIds: [/^modifyMessage$/, 'addLabelIds'],
  messageRemoveLabelIds: [/^modifyMessage$/, 'removeLabelIds'],
  labelName: [/^(create|update)Label$/, 'labelName'],
  labelColor: [/^(create|update)Label$/, 'labelColor'],
  labelId: [/^(get|update|delete)Label$/, 'id'],
  threadMaxResults: [/^listThreads$/, 'maxResults'],
  threadQuery: [/^listThreads$/, 'query'],
  threadId: [/^(get|modify|trash|untrash|delete)Thread$/, 'id'],
  threadAddLabelIds: [/^modifyThread$/, 'addLabelIds'],
  threadRemoveLabelIds: [/^modifyThread$/, 'removeLabelIds'],
}

const presetFields = Object.fromEntries(
  Object.entries(PRESETS).map(([input, [, value]]) => [
    input,
    value === 'maxResults'
      ? presetCount()
      : value.endsWith('LabelIds')
        ? presetList(labelOf(input))
        : preset(labelOf(input)),
  ]),
)

/** `draftUpdateTo` → `Draft Update To` */
function labelOf(input: string): string {
  const words = input.replace(/[A-Z]/g, ' $&')
  return `${words[0]!.toUpperCase()}${words.slice(1)}`
}

export const gmail = defineNode({
  kind: 'tools',
  name: 'gmail',
  label: 'Gmail',
  version: 1,
  category: 'Tools',
  type: 'Gmail',
  baseClasses: ['Gmail', 'Tool'],
  description: 'Lets the model work with drafts, messages, labels and threads of a mailbox of Gmail',
  fields: {
    credential: credentialField('Connect Credential', [KIND]),
    gmailType: choiceField('Type', GMAIL_TYPES, 'messages', { main: true }),
    draftActions: actionsField('drafts', 'Draft Actions'),
    messageActions: actionsField('messages', 'Message Actions'),
    labelActions: actionsField('labels', 'Label Actions'),
    threadActions: actionsField('threads', 'Thread Actions'),
    ...presetFields,
  },
  anchors: {},
  build({ values: given }, context) {
    const values = given as Readonly<Record<string, unknown>>
    const input = ACTIONS_INPUT[values.gmailType as GmailType]
    const names = (values[input] ?? []) as string[]
    if (names.length === 0) throw new InputError(input, 'no action is chosen')
    const actions = names.map((name) => {
      const action = Object.hasOwn(GMAIL_ACTIONS, name) ? GMAIL_ACTIONS[name] : undefined
      if (!action) throw new InputError(input, `there is no action ${name}`)
      return { action, presets: presetsOf(name, values) }
    })
    mayCall(context, GMAIL_API, 'credential', context.egress)
    const grant = beforeUse(() => grantOf(values.credential as string | undefined, context), context)
    const { egress } = context
    return {
      async tools() {
        const token = openOnce(async () => googleToken(await grant(), egress))
        return actions.map(({ action, presets }) => gmailTool(action, presets, token, egress))
      },
    }
  },
})

function presetsOf(action: string, values: Readonly<Record<string, unknown>>): JsonObject {
  const found = Object.entries(PRESETS).flatMap(([input, [actions, value]]): [string, Json][] =>
    actions.test(action) && values[input] !== undefined ? [[value, values[input] as Json]] : [],
  )
  return Object.fromEntries(found)
}

/** @throws SluiceError `credential_missing` */
async function grantOf(id: string | undefined, context: BuildContext): Promise<GoogleGrant> {
  const {
    clientId,
    clientSecret,
    refresh_token: refreshToken,
  } = id === undefined ? {} : await context.credential(id, [KIND])
  if (clientId && clientSecret && refreshToken) return { clientId, clientSecret, refreshToken }
  throw new SluiceError('credential_missing', {
    node: context.nodeId,
    reason:
      id === undefined ? 'it has none' : 'its credential has no client id, client secret or refresh token',
    hint: `Give the node a credential of the kind ${KIND}`,
  })
}
