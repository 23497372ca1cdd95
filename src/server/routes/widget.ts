import { attachmentList, pictureQuery } from '../../api/attachment.ts'
import { chatWindowShape, streamingShape } from '../../api/chat.ts'
import { jsonObject } from '../../api/json.ts'
import { conversationParams, flowParams } from '../../api/params.ts'
import { SluiceError } from '../../kit/errors.ts'
import type { FileLinks } from '../chat/file-links.ts'
import { publicConfig } from '../chat/public-config.ts'
import { attachmentLimits, acceptsAttachments } from '../chat/question-uploads.ts'
import { textOfFile, PICTURE_TYPES } from '../chat/uploads.ts'
import type { Platform } from '../platform.ts'
import { isForm, type Route, route } from '../route.ts'
import { flowSource } from '../../flow/find-flow.ts'
import { receiveUpload } from '../uploads.ts'

const bytesOf = (files: readonly { size: number }[]) => files.reduce((sum, { size }) => sum + size, 0)

/** The routes that a chat window on a web page needs besides the prediction. */
export function widgetRoutes(platform: Platform, links: FileLinks): Route[] {
  const { predictor, messages, config, nodeServices } = platform
  const shared = { tag: 'chat windows', pages: 'allowed' } as const

  return [
    route({
      ...shared,
      method: 'GET',
      url: '/api/v1/chatflows-streaming/:flowId',
      summary: 'Whether a flow can stream its answer',
      access: 'open',
      params: flowParams,
      answer: { description: 'Yes or no', shape: streamingShape },
      handle: async ({ flow }) => ({ isStreaming: predictor.streams(flowSource(flow)) }),
    }),
    route({
      ...shared,
      method: 'GET',
      url: '/api/v1/public-chatbotConfig/:flowId',
      summary: 'The configuration of the chat window of a flow, without inputs of nodes and without secrets',
      access: 'open',
      params: flowParams,
      answer: { description: 'The configuration', shape: chatWindowShape },
      handle: async ({ flow }) => publicConfig(flow, config.MAX_UPLOAD_MB),
    }),
    route({
      ...shared,
      method: 'POST',
      url: '/api/v1/attachments/:flowId/:chatId',
      summary: 'Extract the text of files, to send it with a question as uploads of type file:full',
      access: { flow: 'predict' },
      pinned: 'harmless',
      params: conversationParams,
      accepts: ['multipart/form-data'],
      body: jsonObject,
      // Room for files as base64.
      bodyMegabytes: 50,
      answer: { description: 'A text per file', shape: attachmentList },
      async handle({ flow, request, spend, clientGone, admitAgain }) {
        if (!acceptsAttachments(flow)) throw new SluiceError('attachments_disabled')
        if (!isForm(request)) throw new SluiceError('form_expected')
        const gone = clientGone()
        const { files, remove } = await receiveUpload(request.raw, platform.uploadDirectory, {
          ...attachmentLimits(config),
          shortage: platform.shortage,
        })
        try {
          await admitAgain()
          await spend('bytes', bytesOf(files))
          const read = files.map(async (file) => ({
            name: file.name,
            mimeType: 'text/plain',
            size: file.size,
            content: await textOfFile(file, nodeServices.parser, gone),
          }))
          return await Promise.all(read)
        } finally {
          await remove()
        }
      },
    }),
    route({
      method: 'GET',
      url: '/api/v1/get-upload-file',
      summary: 'A picture of a question, by a link that expires',
      tag: 'chat windows',
      access: 'open',
      query: pictureQuery,
      answer: { description: 'The picture', type: PICTURE_TYPES[0] },
      also: PICTURE_TYPES.slice(1).map((type) => ({ description: 'The same in another format', type })),
      async handle({ query, reply }) {
        links.check(query)
        const file = await messages.file(query.fileId)
        if (!file) throw new SluiceError('link_invalid')
        return reply
          .headers({ 'content-type': file.mime, 'cache-control': 'private, max-age=3600' })
          .send(Buffer.from(file.content))
      },
    }),
  ]
}
